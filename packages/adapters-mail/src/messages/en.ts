import { formatNumber } from './format-number.ts';

/** What buyers' mails say. The English messages are the type of all others, so that a missing one fails to compile. */
export type MailMessages = typeof en;

const WORDS = 'no one two three four five six seven eight nine ten';

export const en = {
  /** Between two sentences. */
  space: ' ',
  download: 'Download',
  downloadProduct: (product: string) => `Download ${product}`,
  open: 'Open',
  openPage: 'Open the download page',
  myDownloads: 'My downloads',

  /** `opener`: what opens a download, in HTML and in plain text. */
  leadOne: (opener: 'button' | 'link', files: number) =>
    `One ${opener} opens your download page, with ${theFiles(files)}.`,
  leadMany: (opener: 'button' | 'link') => `Each ${opener} opens the download page of one product.`,
  leadNoFiles: 'Its files are not there yet. They will appear on your download page.',
  lifetime: ({ links, duration, until }: Lifetime) =>
    `${links === 1 ? 'The link' : 'Each link'} works for ${duration}, until ${until}, and each time you open it the ${duration} start again.`,
  renewal: 'Expired? Get a new one at any time:',
  files: (count: number, size: string) =>
    count === 1 ? `1 file, ${size}` : `${count} files, ${size} in all`,
  filesInAll: (files: string) => `${files}.`,
  noFiles: 'No files yet',
  order: (number: string, date: string) => `Order ${number}, ${date}`,
  orderedOn: (date: string) => `Ordered on ${date}`,

  replyToShop: (shop: string) => `Something wrong? Just reply, a person at ${shop} reads it.`,
  writeToShop: 'Something wrong? Write to the shop; its address is next to its name.',
  notAsked: 'You did not ask for this? Ignore this mail: it was sent only to you.',
  pasteOne: 'Button does nothing? Paste this into your browser:',
  pasteMany: 'Buttons do nothing? Paste these into your browser:',

  receipt: {
    subjectOne: (product: string) => `Your download: ${product}`,
    subjectTwo: (one: string, other: string) => `Your downloads: ${one} and ${other}`,
    subjectShop: (shop: string) => `Your downloads from ${shop}`,
    thanks: (name: string | null) => `Thank you${name === null ? '' : `, ${name}`}.`,
    readyOne: (product: string) => `${product} is ready.`,
    yoursOne: (product: string) => `${product} is yours.`,
    readyMany: (count: number) => `Your ${numberWord(count)} products are ready.`,
    yoursMany: (count: number) => `These ${numberWord(count)} products are yours.`,
  },

  links: {
    library: 'Open your library',
    leadLibrary: 'Your library has everything you bought. Each product has a link of its own, too.',
    subjectOne: (product: string) => `Your new link: ${product}`,
    subjectShop: (shop: string) => `Your new links from ${shop}`,
    subjectAll: 'Your new links',
    heading: (name: string | null, count: number) =>
      `${count === 1 ? 'Here is your new link' : 'Here are your new links'}${name === null ? '' : `, ${name}`}.`,
    newestOnly: (count: number) =>
      `Below are the ${count} products you bought last; your library has all of them.`,
  },
};

/** `links`: how many there are. */
export interface Lifetime {
  readonly links: number;
  readonly duration: string;
  readonly until: string;
}

function theFiles(count: number): string {
  if (count === 1) return 'your file';
  return count === 2 ? 'both files' : `all ${numberWord(count)} files`;
}

/** Small numbers as words, for sentences: `three`, `14`. */
export function numberWord(number: number): string {
  return formatNumber(WORDS, number);
}
