import { html } from '@handover/html';
import type { Messages } from './en.ts';

// French sets a no-break space before a colon, and a narrow one before a semicolon and a question mark.
export const fr: Messages = {
  space: ' ',
  order: (number) => `Commande ${number}`,

  download: {
    versionFor: (version, name) => html`Version ${version}, pour ${name}`,
    for: (name) => html`Pour ${name}`,
    works: ({ left, until, lifetime }) =>
      html`Ce lien est <strong>encore valable ${left}</strong>, jusqu’au ${until}. À chaque ouverture, le délai de ${lifetime} repart de zéro.`,
    notReady: 'Les fichiers ne sont pas encore prêts.',
    notReadyWhy: (shop) =>
      html`Votre achat est bien enregistré\u00a0: les fichiers apparaîtront ici une fois mis en ligne par ${shop}. Ouvrez de nouveau ce lien plus tard.`,
    newer: (version, address) =>
      html`La version ${version} est disponible. Pour l’obtenir, écrivez à ${address}.`,
    resume:
      'Si un téléchargement s’interrompt, choisissez «\u00a0Reprendre\u00a0» dans votre navigateur\u00a0: il continue là où il s’est arrêté.',
    questions: (address) => html`Des questions\u202f? ${address}`,
  },

  files: {
    list: 'Fichiers',
    download: 'Télécharger',
    again: 'Télécharger à nouveau',
    all: (count, size) => `Télécharger les ${count} fichiers (${size})`,
    allAsk: 'Votre navigateur vous demandera peut-être si cette page peut télécharger plusieurs fichiers.',
    allBegun:
      'Fichiers commencés\u00a0: {n} sur {count}. La liste des téléchargements de votre navigateur montre où en est chacun.',
    whole: 'Transfert terminé',
    stopped:
      'Pour continuer, choisissez «\u00a0Reprendre\u00a0» dans la liste des téléchargements de votre navigateur. Le bouton recommence depuis le début.',
    check: 'Vérifier le fichier (SHA-256)',
  },

  script: {
    starting: 'Démarrage',
    percent: '{n}\u00a0%',
    portion: '{sent} sur {size}',
    sent: '{portion} transférés',
    seconds: 'encore {n} s environ',
    minutes: 'encore {n} min environ',
    hours: 'encore {n} h environ',
    offline: 'pas de connexion pour le moment',
    howFar: 'Le téléchargement s’est arrêté à {portion}.',
    nowWhole: '{name}\u00a0: transfert terminé',
    nowSent: '{name}\u00a0: {percent} transférés',
    nowStopped: '{name}\u00a0: arrêté à {portion}',
  },

  ended: {
    expired: 'Ce lien a expiré',
    expiredWhy: (lifetime, product) =>
      html`Les liens expirent ${lifetime} après leur dernière ouverture. ${product} vous appartient toujours\u00a0: nous vous enverrons un nouveau lien.`,
    goesTo: (address) => html`Il sera envoyé à l’adresse de votre commande, ${address}`,
    mailNew: 'M’envoyer un nouveau lien',
    otherAddress: (address, what) =>
      html`Vous avez changé d’adresse\u202f? Écrivez à ${address} en indiquant ${what}.`,
    theOrder: (number) => html`<strong>la commande ${number}</strong>`,
    theAddress: 'l’adresse utilisée pour la commande',
    onItsWay: (product, address) =>
      html`Nous envoyons un nouveau lien vers ${product} à ${address}. Cela peut prendre une minute\u202f; pensez à vérifier les courriers indésirables.`,
    nothingThere: (address, what) => html`Rien reçu\u202f? Écrivez à ${address} en indiquant ${what}.`,
    mailedAlready: 'Le nouveau lien a déjà été envoyé',
    mailedAlreadyWhy: ({ address, wait, from }) =>
      html`Il a été envoyé à ${address}\u202f; vérifiez les courriers indésirables. Vous pourrez en demander un autre dans ${wait} (à partir du ${from}).`,
    revoked: 'Ce lien a été désactivé',
    replacedWhy: (product) =>
      html`La boutique a désactivé ce lien vers ${product}. Si vous en avez reçu un plus récent, essayez ce dernier.`,
    revokedWhy: (product) =>
      html`La boutique a mis fin à votre accès à ${product}. Aucun des liens ne fonctionne plus et il n’est pas possible d’en envoyer un nouveau.`,
    askShop: (address, what) => html`Écrivez à ${address} en indiquant ${what}. On vous renseignera.`,
  },

  my: {
    name: 'Mes téléchargements',
    title: 'Retrouver vos téléchargements',
    lead: 'Saisissez l’adresse e-mail utilisée lors de l’achat. Nous vous enverrons de nouveaux liens vers tous vos achats.',
    email: 'Adresse e-mail',
    invalid: 'Saisissez l’adresse complète, par exemple ana@example.com.',
    send: 'M’envoyer mes liens',
    aside: (tries) =>
      `Vous pouvez faire ${tries} demandes par heure. La réponse est la même pour toutes les adresses\u00a0: personne ne peut savoir ce que vous avez acheté.`,
    inbox: 'Consultez votre messagerie',
    noted: (address) =>
      html`Si un achat a été fait avec ${address}, le message est en route. Cela peut prendre une minute\u202f; pensez à vérifier les courriers indésirables.`,
    noMail:
      'Rien reçu\u202f? Vous avez peut-être acheté avec une autre adresse\u00a0: essayez-la, ou écrivez à la boutique où vous avez acheté.',
    didYouMean: (address) => html`Vouliez-vous écrire ${address}\u202f?`,
    sendThere: 'Envoyer mes liens à cette adresse',
    tooOftenAddress: 'Trop de demandes pour cette adresse',
    tooOftenNetwork: 'Trop de demandes depuis votre réseau',
    again: (wait, from) =>
      html`Réessayez dans ${wait} (à partir du ${from}). Les messages déjà partis vous parviendront.`,
  },

  library: {
    title: 'Votre bibliothèque',
    lead: (address) => html`Tout ce qui a été acheté avec ${address}, du plus récent au plus ancien.`,
    works: ({ until, lifetime }) =>
      html`Cette page reste accessible jusqu’au ${until}, et votre session y reste ouverte sur cet appareil. À chaque ouverture, le délai de ${lifetime} repart de zéro.`,
    nothing: 'Il n’y a plus rien ici. S’il manque quelque chose, écrivez à la boutique.',
    bought: (date) => html`Acheté le ${date}`,
    replaced:
      'La boutique a remplacé les liens vers ce produit après l’envoi du message qui a ouvert cette page. Un nouveau message mène de nouveau aux fichiers.',
    noFiles: 'Pas encore de fichiers',
    older: 'Achats plus anciens',
    newest: 'Revenir aux plus récents',
    forget: 'Se déconnecter sur cet appareil',
    ended: 'Votre bibliothèque est fermée',
    endedWhy: 'Demandez de nouveau vos liens\u00a0: le message la rouvrira.',
  },

  notFound: {
    title: 'Rien à cette adresse',
    heading: 'Il n’y a rien à cette adresse',
    lead: 'Les liens des e-mails sont longs, et certains logiciels les coupent. Appuyez de nouveau sur le bouton du message, ou copiez le lien entier qui se trouve dessous.',
    aside:
      'Le problème persiste\u202f? Répondez au message qui contenait le lien\u00a0: la boutique le lira.',
  },

  failure: {
    reference: 'Référence\u00a0:',
    tryAgain: 'Réessayer',
    busy: ['Nous sommes très sollicités', 'Rien n’est perdu. Réessayez dans une minute.'],
    slow: [
      'La connexion était trop lente',
      'Votre envoi n’est pas arrivé à temps\u00a0: rien n’a été modifié. Revenez en arrière et réessayez.',
    ],
    files: [
      'Les fichiers ne sont pas disponibles pour le moment',
      'Votre lien reste valable et rien n’est perdu\u00a0: réessayez le téléchargement dans une minute.',
    ],
    database: [
      'Nous revenons dans un instant',
      'Notre base de données est injoignable pour le moment. Rien n’est perdu\u00a0: rechargez cette page dans une minute.',
    ],
    server: [
      'Une erreur s’est produite de notre côté',
      'Votre achat est en sécurité. Rechargez cette page\u202f; si le problème persiste, répondez au message qui contenait le lien en indiquant la référence ci-dessous.',
    ],
    unreadable: [
      'Nous n’avons pas pu lire cette demande',
      'Ouvrez de nouveau le lien de votre message. Rien n’a été modifié.',
    ],
  },

  start: {
    heading: 'Ce site livre des produits numériques',
    lead: 'Des boutiques l’utilisent pour livrer ce qu’elles vendent\u00a0: banques de sons, plug-ins, livres numériques, logiciels. Après la commande, l’acheteur reçoit un e-mail avec un lien vers les fichiers.',
    bought: 'Vous avez acheté quelque chose',
    boughtWhat:
      'Utilisez le lien de votre e-mail. Si vous ne le trouvez pas ou s’il a expiré, nous vous enverrons de nouveaux liens vers tous vos achats.',
    shop: 'Vous travaillez pour une boutique',
    shopWhat: 'Les commandes, les produits et les réglages se trouvent dans le tableau de bord.',
    signIn: 'Se connecter',
    version: (version) => `Version ${version}`,
  },
};
