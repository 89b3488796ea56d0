import type { MailMessages } from './en.ts';
import { formatNumber } from './format-number.ts';

const WORDS = 'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf';

export const de: MailMessages = {
  space: ' ',
  download: 'Herunterladen',
  downloadProduct: (product) => `${product} herunterladen`,
  open: 'Öffnen',
  openPage: 'Download-Seite öffnen',
  myDownloads: 'Meine Downloads',

  leadOne: (opener, files) =>
    opener === 'button'
      ? `Die Schaltfläche öffnet Ihre Download-Seite mit ${theFiles(files)}.`
      : `Der Link öffnet Ihre Download-Seite mit ${theFiles(files)}.`,
  leadMany: (opener) =>
    opener === 'button'
      ? 'Jede Schaltfläche öffnet die Download-Seite eines Produkts.'
      : 'Jeder Link öffnet die Download-Seite eines Produkts.',
  leadNoFiles: 'Die Dateien sind noch nicht da. Sie werden auf Ihrer Download-Seite erscheinen.',
  lifetime: ({ links, duration, until }) =>
    `${links === 1 ? 'Der Link' : 'Jeder Link'} gilt ${duration}, bis ${until}. Mit jedem Öffnen beginnen die ${duration} von vorn.`,
  renewal: 'Abgelaufen? Einen neuen Link erhalten Sie jederzeit hier:',
  files: (count, size) => (count === 1 ? `1 Datei, ${size}` : `${count} Dateien, insgesamt ${size}`),
  filesInAll: (files) => `${files}.`,
  noFiles: 'Noch keine Dateien',
  order: (number, date) => `Bestellung ${number} vom ${date}`,
  orderedOn: (date) => `Bestellt am ${date}`,

  replyToShop: (shop) =>
    `Stimmt etwas nicht? Antworten Sie einfach auf diese E-Mail: Bei ${shop} liest sie ein Mensch.`,
  writeToShop: 'Stimmt etwas nicht? Schreiben Sie dem Shop; seine Adresse steht neben seinem Namen.',
  notAsked: 'Sie haben das nicht angefordert? Dann ignorieren Sie diese E-Mail: Sie ging nur an Sie.',
  pasteOne: 'Die Schaltfläche reagiert nicht? Fügen Sie diese Adresse in Ihren Browser ein:',
  pasteMany: 'Die Schaltflächen reagieren nicht? Fügen Sie diese Adressen in Ihren Browser ein:',

  receipt: {
    subjectOne: (product) => `Ihr Download: ${product}`,
    subjectTwo: (one, other) => `Ihre Downloads: ${one} und ${other}`,
    subjectShop: (shop) => `Ihre Downloads von ${shop}`,
    // A first name alone does not go with “Sie”.
    thanks: () => 'Vielen Dank für Ihren Kauf.',
    readyOne: (product) => `${product} steht bereit.`,
    yoursOne: (product) => `${product} gehört Ihnen.`,
    readyMany: (count) => `Ihre ${several(count)} Produkte stehen bereit.`,
    yoursMany: (count) => `Diese ${several(count)} Produkte gehören Ihnen.`,
  },

  links: {
    library: 'Bibliothek öffnen',
    leadLibrary:
      'In Ihrer Bibliothek finden Sie alles, was Sie gekauft haben. Jedes Produkt hat auch einen eigenen Link.',
    subjectOne: (product) => `Ihr neuer Link: ${product}`,
    subjectShop: (shop) => `Ihre neuen Links von ${shop}`,
    subjectAll: 'Ihre neuen Links',
    heading: (_name, count) => (count === 1 ? 'Hier ist Ihr neuer Link.' : 'Hier sind Ihre neuen Links.'),
    newestOnly: (count) =>
      `Unten stehen die ${count} Produkte, die Sie zuletzt gekauft haben; in der Bibliothek sind alle.`,
  },
};

function theFiles(count: number): string {
  if (count === 1) return 'Ihrer Datei';
  return count === 2 ? 'beiden Dateien' : `allen ${several(count)} Dateien`;
}

function several(count: number): string {
  return count === 2 ? 'beiden' : formatNumber(WORDS, count);
}
