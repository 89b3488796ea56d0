import type { ReceiptItem, ReceiptMail } from '@handover/domain';
import { LINK_LIFETIME_MS } from '@handover/domain';
import { oneLine } from '../one-line.ts';
import { formatAmount, formatDate, formatSize, numberWord } from './figures.ts';
import { firstName } from './first-name.ts';

/** What the receipt says, for the page and for its plain-text twin. */
export interface ReceiptWords {
  readonly subject: string;
  /** What mail programs show beside the subject. */
  readonly preview: string;
  readonly shop: string;
  readonly heading: string;
  /** What the reader opens the download with is a button here and a link there. */
  lead(opener: 'button' | 'link'): string;
  readonly items: readonly ItemWords[];
  /** How long links work, and what to do then. */
  readonly lifetime: readonly string[];
  readonly order: string;
  readonly help: string | null;
}

export interface ItemWords {
  /** With its version. */
  readonly title: string;
  readonly files: string;
  readonly amount: string | null;
  /** For a button that stands alone. */
  readonly button: string;
  /** For a button beside the title. */
  readonly shortButton: string;
  readonly url: string;
}

export function receiptWords(mail: ReceiptMail): ReceiptWords {
  const shop = oneLine(mail.organisation.name, 100);
  const name = firstName(mail.to);
  const canReply = mail.organisation.replyTo !== null;
  const lifetime = lifetimeWords(mail.items);
  return {
    subject: subjectWords(mail.items, shop),
    preview: [filesInAll(mail.items), ...lifetime].join(' '),
    shop,
    heading: `Thank you${name ? `, ${name}` : ''}. ${readyWords(mail.items)}`.trim(),
    lead: (opener) => leadWords(mail.items, opener),
    items: mail.items.map(itemWords),
    lifetime: canReply ? [...lifetime, 'Ran out? Just reply to this mail and ask for a new one.'] : lifetime,
    order: orderWords(mail),
    help: canReply ? `Something wrong? Just reply, a person at ${shop} reads it.` : null,
  };
}

function subjectWords(items: readonly ReceiptItem[], shop: string): string {
  const names = items.map(nameOf);
  if (names.length === 1) return oneLine(`Your download: ${names[0]}`, 150);
  const both = `Your downloads: ${names.join(' and ')}`;
  return names.length === 2 && both.length <= 70 ? both : `Your downloads from ${shop}`;
}

function readyWords(items: readonly ReceiptItem[]): string {
  const [only] = items;
  if (!only) return '';
  const ready = items.every(hasFiles);
  if (items.length === 1) return `${nameOf(only)} is ${ready ? 'ready' : 'yours'}.`;
  const products = `${numberWord(items.length)} products`;
  return ready ? `Your ${products} are ready.` : `These ${products} are yours.`;
}

function leadWords(items: readonly ReceiptItem[], opener: 'button' | 'link'): string {
  const [only] = items;
  if (!only) return '';
  if (items.length > 1) return `Each ${opener} opens the download page of one product.`;
  if (!hasFiles(only)) return 'Its files are not there yet. They will appear on your download page.';
  return `One ${opener} opens your download page, with ${theFiles(only.fileCount)}.`;
}

function theFiles(count: number): string {
  if (count === 1) return 'your file';
  return count === 2 ? 'both files' : `all ${numberWord(count)} files`;
}

function lifetimeWords(items: readonly ReceiptItem[]): readonly string[] {
  if (items.length === 0) return [];
  const hours = LINK_LIFETIME_MS / 3_600_000;
  const link = items.length === 1 ? 'The link' : 'Each link';
  return [`${link} works for ${hours} hours, and each time you open it the ${hours} hours start again.`];
}

function filesInAll(items: readonly ReceiptItem[]): string {
  const fileCount = items.reduce((sum, item) => sum + item.fileCount, 0);
  const totalSize = items.reduce((sum, item) => sum + item.totalSize, 0);
  return `${fileWords({ fileCount, totalSize })}.`;
}

function itemWords(item: ReceiptItem): ItemWords {
  const name = nameOf(item);
  const download = `Download ${name}`;
  const open = 'Open the download page';
  return {
    title: `${name} ${oneLine(item.version ?? '', 50)}`.trim(),
    files: fileWords(item),
    amount: formatAmount(item),
    button: hasFiles(item) && download.length <= 50 ? download : open,
    shortButton: hasFiles(item) ? 'Download' : 'Open',
    url: item.downloadUrl,
  };
}

function fileWords({ fileCount, totalSize }: Pick<ReceiptItem, 'fileCount' | 'totalSize'>): string {
  if (fileCount === 0) return 'No files yet';
  const size = formatSize(totalSize);
  return fileCount === 1 ? `1 file, ${size}` : `${fileCount} files, ${size} in all`;
}

function orderWords({ orderNumber, orderedAt }: ReceiptMail): string {
  const date = formatDate(orderedAt);
  const number = oneLine(orderNumber ?? '', 60);
  return number === '' ? `Ordered on ${date}` : `Order ${number}, ${date}`;
}

function nameOf({ productName }: ReceiptItem): string {
  return oneLine(productName, 200);
}

function hasFiles({ fileCount }: ReceiptItem): boolean {
  return fileCount > 0;
}
