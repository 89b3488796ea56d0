import type { MailMessages } from './en.ts';
import { formatNumber } from './format-number.ts';

const WORDS = 'zero um dois três quatro cinco seis sete oito nove dez';

export const pt: MailMessages = {
  space: ' ',
  download: 'Baixar',
  downloadProduct: (product) => `Baixar ${product}`,
  open: 'Abrir',
  openPage: 'Abrir a página de download',
  myDownloads: 'Meus downloads',

  leadOne: (opener, files) =>
    `Este ${opener === 'button' ? 'botão' : 'link'} abre a sua página de download, com ${theFiles(files)}.`,
  leadMany: (opener) =>
    `Cada ${opener === 'button' ? 'botão' : 'link'} abre a página de download de um produto.`,
  leadNoFiles: 'Os arquivos ainda não estão disponíveis. Eles vão aparecer na sua página de download.',
  lifetime: ({ links, duration, until }) =>
    `${links === 1 ? 'O link' : 'Cada link'} vale por ${duration}, até ${until}. A cada abertura, o prazo de ${duration} recomeça.`,
  renewal: 'Expirou? Peça um novo quando quiser:',
  files: (count, size) => (count === 1 ? `1 arquivo, ${size}` : `${count} arquivos, ${size} no total`),
  filesInAll: (files) => `${files}.`,
  noFiles: 'Ainda não há arquivos',
  order: (number, date) => `Pedido ${number} de ${date}`,
  orderedOn: (date) => `Pedido de ${date}`,

  replyToShop: (shop) => `Algo deu errado? É só responder: uma pessoa da equipe ${shop} vai ler.`,
  writeToShop: 'Algo deu errado? Escreva para a loja; o endereço está ao lado do nome dela.',
  notAsked: 'Você não pediu isto? Ignore esta mensagem: ela foi enviada somente a você.',
  pasteOne: 'O botão não funciona? Cole este endereço no seu navegador:',
  pasteMany: 'Os botões não funcionam? Cole estes endereços no seu navegador:',

  receipt: {
    subjectOne: (product) => `Seu download: ${product}`,
    subjectTwo: (one, other) => `Seus downloads: ${one} e ${other}`,
    subjectShop: (shop) => `Seus downloads de ${shop}`,
    thanks: (name) => (name === null ? 'Agradecemos a sua compra.' : `Agradecemos a sua compra, ${name}.`),
    readyOne: (product) => `${product} já está disponível.`,
    yoursOne: (product) => `${product} já é seu.`,
    readyMany: (count) => `Seus ${formatNumber(WORDS, count)} produtos já estão disponíveis.`,
    yoursMany: (count) => `Estes ${formatNumber(WORDS, count)} produtos já são seus.`,
  },

  links: {
    library: 'Abrir a sua biblioteca',
    leadLibrary: 'A sua biblioteca tem tudo o que você comprou. Cada produto também tem o seu próprio link.',
    subjectOne: (product) => `Seu novo link: ${product}`,
    subjectShop: (shop) => `Seus novos links de ${shop}`,
    subjectAll: 'Seus novos links',
    heading: (name, count) =>
      `${count === 1 ? 'Aqui está o seu novo link' : 'Aqui estão os seus novos links'}${name === null ? '' : `, ${name}`}.`,
    newestOnly: (count) => `Abaixo estão as suas ${count} compras mais recentes; na biblioteca estão todas.`,
  },
};

function theFiles(count: number): string {
  if (count === 1) return 'o seu arquivo';
  return `os ${formatNumber(WORDS, count)} arquivos`;
}
