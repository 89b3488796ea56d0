import type { MailMessages } from './en.ts';
import { formatNumber } from './format-number.ts';

const WORDS = 'cero un dos tres cuatro cinco seis siete ocho nueve diez';

export const es: MailMessages = {
  space: ' ',
  download: 'Descargar',
  downloadProduct: (product) => `Descargar ${product}`,
  open: 'Abrir',
  openPage: 'Abrir la página de descarga',
  myDownloads: 'Mis descargas',

  leadOne: (opener, files) =>
    `Este ${opener === 'button' ? 'botón' : 'enlace'} abre su página de descarga, con ${theFiles(files)}.`,
  leadMany: (opener) =>
    `Cada ${opener === 'button' ? 'botón' : 'enlace'} abre la página de descarga de un producto.`,
  leadNoFiles: 'Los archivos aún no están disponibles. Aparecerán en su página de descarga.',
  lifetime: ({ links, duration, until }) =>
    `${links === 1 ? 'El enlace' : 'Cada enlace'} funciona durante ${duration}, hasta el ${until}. Cada vez que se abre, el plazo de ${duration} vuelve a empezar.`,
  renewal: '¿Ha caducado? Pida uno nuevo cuando quiera:',
  files: (count, size) => (count === 1 ? `1 archivo, ${size}` : `${count} archivos, ${size} en total`),
  filesInAll: (files) => `${files}.`,
  noFiles: 'Aún no hay archivos',
  order: (number, date) => `Pedido ${number} del ${date}`,
  orderedOn: (date) => `Pedido del ${date}`,

  replyToShop: (shop) =>
    `¿Algo no va bien? Responda a este mensaje: lo leerá una persona del equipo de ${shop}.`,
  writeToShop: '¿Algo no va bien? Escriba a la tienda; su dirección está junto a su nombre.',
  notAsked: '¿No ha pedido esto? Ignore este mensaje: solo se ha enviado a usted.',
  pasteOne: '¿El botón no funciona? Pegue esta dirección en su navegador:',
  pasteMany: '¿Los botones no funcionan? Pegue estas direcciones en su navegador:',

  receipt: {
    subjectOne: (product) => `Su descarga: ${product}`,
    // “y” is “e” before the sound of an i, so the names are listed.
    subjectTwo: (one, other) => `Sus descargas: ${one}, ${other}`,
    subjectShop: (shop) => `Sus descargas de ${shop}`,
    thanks: (name) => (name === null ? 'Gracias por su compra.' : `Gracias por su compra, ${name}.`),
    readyOne: (product) => `${product} ya está disponible.`,
    yoursOne: (product) => `${product} ya es suyo.`,
    readyMany: (count) => `Sus ${formatNumber(WORDS, count)} productos ya están disponibles.`,
    yoursMany: (count) => `Estos ${formatNumber(WORDS, count)} productos ya son suyos.`,
  },

  links: {
    library: 'Abrir su biblioteca',
    leadLibrary:
      'Su biblioteca contiene todo lo que ha comprado. Cada producto tiene también su propio enlace.',
    subjectOne: (product) => `Su nuevo enlace: ${product}`,
    subjectShop: (shop) => `Sus nuevos enlaces de ${shop}`,
    subjectAll: 'Sus nuevos enlaces',
    heading: (name, count) =>
      `${count === 1 ? 'Aquí tiene su nuevo enlace' : 'Aquí tiene sus nuevos enlaces'}${name === null ? '' : `, ${name}`}.`,
    newestOnly: (count) => `Abajo están sus ${count} compras más recientes; en la biblioteca están todas.`,
  },
};

function theFiles(count: number): string {
  if (count === 1) return 'su archivo';
  return `los ${formatNumber(WORDS, count)} archivos`;
}
