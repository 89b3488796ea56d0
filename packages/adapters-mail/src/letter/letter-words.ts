import { LINK_LIFETIME_MS } from '@handover/domain';
import { oneLine } from '../one-line.ts';
import { formatDate, formatSize, numberWord } from '../receipt/metrics.ts';

/** The sentences of a mail with download links, shared by its HTML and plain-text parts. */
export interface LetterWords {
  readonly subject: string;
  /** The preview that mail programs show beside the subject. */
  readonly preview: string;
  /** The shop's name, above the heading and below the text. */
  readonly shop: string;
  readonly heading: string;
  /** The reader opens the download with a button in HTML and with a link in plain text. */
  lead(opener: 'button' | 'link'): string;
  readonly groups: readonly ItemGroup[];
  /** How long the links work. */
  readonly lifetime: readonly string[];
  /** Where to get new links. */
  readonly renewal: { readonly sentence: string; readonly url: string };
  /** The order, if the mail is about one. */
  readonly order: string | null;
  /** Small print, sentence by sentence. */
  readonly help: readonly string[];
}

/** The items bought at one shop. */
export interface ItemGroup {
  /** Null where the shop is obvious. */
  readonly shop: { readonly name: string; readonly replyTo: string | null } | null;
  readonly items: readonly ItemWords[];
}

export interface ItemWords {
  /** Includes the version. */
  readonly title: string;
  readonly files: string;
  /** Shown to the right of a single title, otherwise after its files. */
  readonly aside: string | null;
  /** For a single button. */
  readonly button: string;
  /** For a button beside a title. */
  readonly shortButton: string;
  readonly url: string;
}

/** The download behind a link, in any mail. */
export interface Downloadable {
  readonly productName: string;
  readonly version: string | null;
  readonly fileCount: number;
  readonly totalSize: number;
  readonly downloadUrl: string;
}

export function leadWords(items: readonly Downloadable[], opener: 'button' | 'link'): string {
  const [only] = items;
  if (!only) return '';
  if (items.length > 1) return `Each ${opener} opens the download page of one product.`;
  if (!hasFiles(only)) return 'Its files are not there yet. They will appear on your download page.';
  return `One ${opener} opens your download page, with ${theFiles(only.fileCount)}.`;
}

export function lifetimeWords(items: readonly Downloadable[]): readonly string[] {
  if (items.length === 0) return [];
  const hours = LINK_LIFETIME_MS / 3_600_000;
  const link = items.length === 1 ? 'The link' : 'Each link';
  return [`${link} works for ${hours} hours, and each time you open it the ${hours} hours start again.`];
}

export function renewalWords(myUrl: string): LetterWords['renewal'] {
  return { sentence: 'Ran out? Get a new one at any time:', url: myUrl };
}

export function filesInAll(items: readonly Downloadable[]): string {
  const fileCount = items.reduce((sum, item) => sum + item.fileCount, 0);
  const totalSize = items.reduce((sum, item) => sum + item.totalSize, 0);
  return `${fileWords({ fileCount, totalSize })}.`;
}

export function itemWords(item: Downloadable, aside: string | null): ItemWords {
  const name = nameOf(item);
  const download = `Download ${name}`;
  const open = 'Open the download page';
  return {
    title: `${name} ${oneLine(item.version ?? '', 50)}`.trim(),
    files: fileWords(item),
    aside,
    button: hasFiles(item) && download.length <= 50 ? download : open,
    shortButton: hasFiles(item) ? 'Download' : 'Open',
    url: item.downloadUrl,
  };
}

export function orderWords({
  orderNumber,
  orderedAt,
}: {
  readonly orderNumber: string | null;
  readonly orderedAt: Date;
}): string {
  const date = formatDate(orderedAt);
  const number = oneLine(orderNumber ?? '', 60);
  return number === '' ? `Ordered on ${date}` : `Order ${number}, ${date}`;
}

export function nameOf({ productName }: Pick<Downloadable, 'productName'>): string {
  return oneLine(productName, 200);
}

export function hasFiles({ fileCount }: Pick<Downloadable, 'fileCount'>): boolean {
  return fileCount > 0;
}

function theFiles(count: number): string {
  if (count === 1) return 'your file';
  return count === 2 ? 'both files' : `all ${numberWord(count)} files`;
}

function fileWords({ fileCount, totalSize }: Pick<Downloadable, 'fileCount' | 'totalSize'>): string {
  if (fileCount === 0) return 'No files yet';
  const size = formatSize(totalSize);
  return fileCount === 1 ? `1 file, ${size}` : `${fileCount} files, ${size} in all`;
}
