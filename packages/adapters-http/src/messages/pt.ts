import { html } from '@handover/html';
import type { Messages } from './en.ts';

export const pt: Messages = {
  space: ' ',
  order: (number) => `Pedido ${number}`,

  download: {
    versionFor: (version, name) => html`Versão ${version}, para ${name}`,
    for: (name) => html`Para ${name}`,
    works: ({ left, until, lifetime }) =>
      html`Este link vale por <strong>mais ${left}</strong>, até ${until}. A cada abertura, o prazo de ${lifetime} recomeça.`,
    notReady: 'Os arquivos ainda não estão prontos.',
    notReadyWhy: (shop) =>
      html`A sua compra está registrada: os arquivos vão aparecer aqui assim que ${shop} os publicar. Abra este link de novo mais tarde.`,
    newer: (version, address) =>
      html`A versão ${version} está disponível. Para recebê-la, escreva para ${address}.`,
    resume: 'Se um download for interrompido, escolha “Retomar” no navegador: ele continua de onde parou.',
    questions: (address) => html`Dúvidas? ${address}`,
  },

  files: {
    list: 'Arquivos',
    download: 'Baixar',
    again: 'Baixar de novo',
    all: (count, size) => `Baixar os ${count} arquivos (${size})`,
    allAsk: 'O navegador pode perguntar se esta página pode baixar vários arquivos.',
    allBegun:
      '{n} de {count} arquivos começados. A lista de downloads do navegador mostra como está cada um.',
    whole: 'Transferência concluída',
    stopped:
      'Para continuar de onde parou, escolha “Retomar” na lista de downloads do navegador. O botão recomeça o download do início.',
    check: 'Verificar o arquivo (SHA-256)',
  },

  script: {
    starting: 'Iniciando',
    percent: '{n}%',
    portion: '{sent} de {size}',
    sent: '{portion} transferidos',
    seconds: 'tempo restante: cerca de {n} s',
    minutes: 'tempo restante: cerca de {n} min',
    hours: 'tempo restante: cerca de {n} h',
    offline: 'sem conexão no momento',
    howFar: 'O download parou em {portion}.',
    nowWhole: '{name}: transferência concluída',
    nowSent: '{name}: {percent} transferido',
    nowStopped: '{name}: parou em {portion}',
  },

  ended: {
    expired: 'Este link expirou',
    expiredWhy: (lifetime, product) =>
      html`Os links deixam de funcionar ${lifetime} depois da última abertura. ${product} continua sendo seu: vamos enviar um novo link.`,
    goesTo: (address) => html`Ele será enviado para o endereço do seu pedido, ${address}`,
    mailNew: 'Enviar um novo link',
    otherAddress: (address, what) => html`Mudou de endereço? Escreva para ${address} e informe ${what}.`,
    theOrder: (number) => html`<strong>o pedido ${number}</strong>`,
    theAddress: 'o endereço usado na compra',
    onItsWay: (product, address) =>
      html`Um novo link para ${product} está a caminho de ${address}. Pode levar um minuto; confira também a caixa de spam.`,
    nothingThere: (address, what) => html`Não chegou nada? Escreva para ${address} e informe ${what}.`,
    mailedAlready: 'O novo link já foi enviado',
    mailedAlreadyWhy: ({ address, wait, from }) =>
      html`Ele foi enviado para ${address}; confira também a caixa de spam. Você poderá pedir outro daqui a ${wait} (a partir de ${from}).`,
    revoked: 'Este link foi desativado',
    replacedWhy: (product) =>
      html`A loja desativou este link para ${product}. Se você recebeu um mais recente, tente com ele.`,
    revokedWhy: (product) =>
      html`A loja encerrou o seu acesso a ${product}. Nenhum dos links funciona mais e não é possível enviar um novo.`,
    askShop: (address, what) => html`Escreva para ${address} e informe ${what}. A loja pode explicar melhor.`,
  },

  my: {
    name: 'Meus downloads',
    title: 'Recupere os seus downloads',
    lead: 'Digite o e-mail usado na compra. Vamos enviar novos links para tudo o que você comprou.',
    email: 'E-mail',
    invalid: 'Digite o endereço completo, por exemplo ana@example.com.',
    send: 'Enviar meus links',
    aside: (tries) =>
      `Você pode pedir ${tries} vezes por hora. A resposta é a mesma para qualquer endereço: assim ninguém descobre o que você comprou.`,
    inbox: 'Confira a sua caixa de entrada',
    noted: (address) =>
      html`Se houve alguma compra com ${address}, a mensagem está a caminho. Pode levar um minuto; confira também a caixa de spam.`,
    noMail:
      'Não chegou nada? Talvez você tenha comprado com outro endereço: tente com ele ou escreva para a loja em que comprou.',
    didYouMean: (address) => html`Você quis dizer ${address}?`,
    sendThere: 'Enviar meus links para esse endereço',
    tooOftenAddress: 'Solicitações demais para este endereço',
    tooOftenNetwork: 'Solicitações demais da sua rede',
    again: (wait, from) =>
      html`Tente de novo daqui a ${wait} (a partir de ${from}). As mensagens já enviadas vão chegar.`,
  },

  library: {
    title: 'Sua biblioteca',
    lead: (address) => html`Tudo o que foi comprado com ${address}, do mais recente ao mais antigo.`,
    works: ({ until, lifetime }) =>
      html`Esta página fica disponível até ${until}, e a sua sessão continua aberta neste dispositivo. A cada abertura, o prazo de ${lifetime} recomeça.`,
    nothing: 'Não há mais nada aqui. Se faltar algo, escreva para a loja.',
    bought: (date) => html`Comprado em ${date}`,
    replaced:
      'A loja substituiu os links deste produto depois de enviar a mensagem que abriu esta página. Uma nova mensagem leva de novo aos arquivos.',
    noFiles: 'Ainda não há arquivos',
    older: 'Compras mais antigas',
    newest: 'Voltar às mais recentes',
    forget: 'Sair neste dispositivo',
    ended: 'A sua biblioteca foi fechada',
    endedWhy: 'Peça os seus links de novo: a mensagem abre a biblioteca outra vez.',
  },

  notFound: {
    title: 'Nada neste endereço',
    heading: 'Não há nada neste endereço',
    lead: 'Os links das mensagens são longos, e alguns programas os cortam. Toque de novo no botão da mensagem ou copie o link inteiro que está abaixo dele.',
    aside: 'Ainda não funciona? Responda à mensagem que trouxe o link: a loja vai ler.',
  },

  failure: {
    reference: 'Referência:',
    tryAgain: 'Tentar de novo',
    busy: ['Estamos com muito movimento agora', 'Nada se perdeu. Tente de novo em um minuto.'],
    slow: [
      'A conexão estava muito lenta',
      'O envio não chegou a tempo, então nada foi alterado. Volte e tente de novo.',
    ],
    files: [
      'Os arquivos não estão disponíveis agora',
      'O seu link continua válido e nada se perdeu. Tente baixar novamente em um minuto.',
    ],
    database: [
      'Voltamos em instantes',
      'Não conseguimos acessar o nosso banco de dados agora. Nada se perdeu: recarregue esta página em um minuto.',
    ],
    server: [
      'Algo deu errado do nosso lado',
      'A sua compra está segura. Recarregue esta página; se continuar assim, responda à mensagem que trouxe o link e informe a referência abaixo.',
    ],
    unreadable: [
      'Não conseguimos ler esta solicitação',
      'Abra de novo o link da sua mensagem. Nada foi alterado.',
    ],
  },

  start: {
    heading: 'Este site entrega produtos digitais',
    lead: 'As lojas o usam para entregar o que vendem: bibliotecas de samples, plug-ins, e-books, software. Depois do pedido, quem comprou recebe um e-mail com um link para os arquivos.',
    bought: 'Você comprou algo',
    boughtWhat:
      'Use o link do seu e-mail. Se não o encontrar ou se ele tiver expirado, enviaremos novos links para tudo o que você comprou.',
    shop: 'Você trabalha em uma loja',
    shopWhat: 'Pedidos, produtos e configurações ficam no painel.',
    signIn: 'Entrar',
    version: (version) => `Versão ${version}`,
  },
};
