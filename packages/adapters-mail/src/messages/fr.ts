import type { MailMessages } from './en.ts';
import { formatNumber } from './format-number.ts';

const WORDS = 'zéro un deux trois quatre cinq six sept huit neuf dix';

// French sets a no-break space before a colon, and a narrow one before a semicolon and a question mark.
export const fr: MailMessages = {
  space: ' ',
  download: 'Télécharger',
  downloadProduct: (product) => `Télécharger ${product}`,
  open: 'Ouvrir',
  openPage: 'Ouvrir la page de téléchargement',
  myDownloads: 'Mes téléchargements',

  leadOne: (opener, files) =>
    `Ce ${opener === 'button' ? 'bouton' : 'lien'} ouvre votre page de téléchargement, avec ${theFiles(files)}.`,
  leadMany: (opener) =>
    `Chaque ${opener === 'button' ? 'bouton' : 'lien'} ouvre la page de téléchargement d’un produit.`,
  leadNoFiles:
    'Les fichiers ne sont pas encore disponibles. Ils apparaîtront sur votre page de téléchargement.',
  lifetime: ({ links, duration, until }) =>
    `${links === 1 ? 'Le lien' : 'Chaque lien'} est valable ${duration}, jusqu’au ${until}. À chaque ouverture, le délai de ${duration} repart de zéro.`,
  renewal: 'Lien expiré\u202f? Demandez-en un nouveau à tout moment\u00a0:',
  files: (count, size) => (count === 1 ? `1 fichier, ${size}` : `${count} fichiers, ${size} au total`),
  filesInAll: (files) => `${files}.`,
  noFiles: 'Pas encore de fichiers',
  order: (number, date) => `Commande ${number} du ${date}`,
  orderedOn: (date) => `Commandé le ${date}`,

  replyToShop: (shop) =>
    `Un problème\u202f? Répondez simplement à ce message\u00a0: chez ${shop}, quelqu’un le lira.`,
  writeToShop: 'Un problème\u202f? Écrivez à la boutique\u00a0: son adresse figure à côté de son nom.',
  notAsked: 'Vous n’avez rien demandé\u202f? Ignorez ce message\u00a0: il n’a été envoyé qu’à vous.',
  pasteOne: 'Le bouton ne répond pas\u202f? Collez cette adresse dans votre navigateur\u00a0:',
  pasteMany: 'Les boutons ne répondent pas\u202f? Collez ces adresses dans votre navigateur\u00a0:',

  receipt: {
    subjectOne: (product) => `Votre téléchargement\u00a0: ${product}`,
    subjectTwo: (one, other) => `Vos téléchargements\u00a0: ${one} et ${other}`,
    subjectShop: (shop) => `${shop}\u00a0: vos téléchargements`,
    thanks: (name) => (name === null ? 'Merci pour votre achat.' : `Merci pour votre achat, ${name}.`),
    readyOne: (product) => `${product} vous attend.`,
    yoursOne: (product) => `${product} est à vous.`,
    readyMany: (count) => `Vos ${formatNumber(WORDS, count)} produits vous attendent.`,
    yoursMany: (count) => `Ces ${formatNumber(WORDS, count)} produits sont à vous.`,
  },

  links: {
    library: 'Ouvrir votre bibliothèque',
    leadLibrary: 'Votre bibliothèque contient tous vos achats. Chaque produit a aussi son propre lien.',
    subjectOne: (product) => `Votre nouveau lien\u00a0: ${product}`,
    subjectShop: (shop) => `${shop}\u00a0: vos nouveaux liens`,
    subjectAll: 'Vos nouveaux liens',
    heading: (name, count) =>
      `${count === 1 ? 'Voici votre nouveau lien' : 'Voici vos nouveaux liens'}${name === null ? '' : `, ${name}`}.`,
    newestOnly: (count) =>
      `Voici vos ${count} achats les plus récents\u202f; la bibliothèque les contient tous.`,
  },
};

function theFiles(count: number): string {
  if (count === 1) return 'votre fichier';
  return `les ${formatNumber(WORDS, count)} fichiers`;
}
