import {
  DEFAULT_TIME_ZONE,
  type Formats,
  formatsOf,
  type Language,
  LINK_LIFETIME_MS,
  localPart,
  readTimeZone,
} from '@handover/domain';
import { de } from '../messages/de.ts';
import { en, type MailMessages } from '../messages/en.ts';
import { es } from '../messages/es.ts';
import { fr } from '../messages/fr.ts';
import { ja } from '../messages/ja.ts';
import { pt } from '../messages/pt.ts';
import { oneLine } from '../one-line.ts';

/** The sentences of a mail with download links, shared by its HTML and plain-text parts. */
export interface LetterWords {
  /** Of the `lang` attribute. */
  readonly locale: string;
  readonly subject: string;
  /** The preview that mail programs show beside the subject. */
  readonly preview: string;
  /** The shop's name, above the heading and below the text. */
  readonly shop: string;
  /** Its sentences. */
  readonly heading: readonly string[];
  /** Between two sentences. */
  readonly space: string;
  /** The reader opens the download with a button in HTML and with a link in plain text. */
  lead(opener: 'button' | 'link'): string;
  readonly groups: readonly ItemGroup[];
  /** A button above the items that opens all of them. */
  readonly library: { readonly label: string; readonly url: string } | null;
  /** How long the links work. */
  readonly lifetime: readonly string[];
  /** Where to get new links. */
  readonly renewal: { readonly sentence: string; readonly url: string };
  /** The order, if the mail is about one. */
  readonly order: string | null;
  /** Small print, sentence by sentence. */
  readonly help: readonly string[];
  /** Above the addresses to paste. */
  readonly paste: string;
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
  /** What that button is called where the title is not seen beside it. */
  readonly spokenButton: string;
  readonly url: string;
}

/** What a mail is written with: the messages and formats of its language, and the zone of its times. */
export interface Wording {
  readonly messages: MailMessages;
  readonly formats: Formats;
  readonly timeZone: string;
}

export function wordingOf({
  language,
  timeZone,
}: {
  readonly language: Language;
  readonly timeZone: string;
}): Wording {
  // Another version of the runtime may have known the zone.
  const known = readTimeZone(timeZone) ?? DEFAULT_TIME_ZONE;
  return { messages: messagesOf(language), formats: formatsOf(language), timeZone: known };
}

/** The download behind a link, in any mail. */
export interface Downloadable {
  readonly productName: string;
  readonly version: string | null;
  readonly fileCount: number;
  readonly totalSize: number;
  /** See `listFilesInMail`. */
  readonly fileNames?: readonly string[];
  readonly downloadUrl: string;
}

export function leadWords(
  { messages }: Wording,
  items: readonly Downloadable[],
  opener: 'button' | 'link',
): string {
  const [only] = items;
  if (!only) return '';
  if (items.length > 1) return messages.leadMany(opener);
  return hasFiles(only) ? messages.leadOne(opener, only.fileCount) : messages.leadNoFiles;
}

export function lifetimeWords(
  { messages, formats, timeZone }: Wording,
  items: readonly Downloadable[],
  worksUntil: Date,
): readonly string[] {
  if (items.length === 0) return [];
  const duration = formats.duration(LINK_LIFETIME_MS);
  return [messages.lifetime({ links: items.length, duration, until: formats.moment(worksUntil, timeZone) })];
}

/** What mail programs show beside the subject. */
export function previewWords(
  wording: Wording,
  items: readonly Downloadable[],
  lifetime: readonly string[],
): string {
  const fileCount = items.reduce((sum, item) => sum + item.fileCount, 0);
  const totalSize = items.reduce((sum, item) => sum + item.totalSize, 0);
  const { messages } = wording;
  const inAll = messages.filesInAll(fileWords(wording, { fileCount, totalSize }));
  return [inAll, ...lifetime].join(messages.space);
}

export function itemWords(wording: Wording, item: Downloadable, aside: string | null): ItemWords {
  const { messages } = wording;
  const name = nameOf(item);
  const title = `${name} ${oneLine(item.version ?? '', 50)}`.trim();
  const download = messages.downloadProduct(name);
  return {
    title,
    files: [fileWords(wording, item), ...fileNameWords(item)].join(' · '),
    aside,
    button: hasFiles(item) && download.length <= 50 ? download : messages.openPage,
    shortButton: hasFiles(item) ? messages.download : messages.open,
    spokenButton: hasFiles(item) ? messages.downloadProduct(title) : `${messages.open} ${title}`,
    url: item.downloadUrl,
  };
}

export function orderWords(
  { messages, formats, timeZone }: Wording,
  { orderNumber, orderedAt }: { readonly orderNumber: string | null; readonly orderedAt: Date },
): string {
  const date = formats.date(orderedAt, timeZone);
  const number = oneLine(orderNumber ?? '', 60);
  return number === '' ? messages.orderedOn(date) : messages.order(number, date);
}

export function nameOf({ productName }: Pick<Downloadable, 'productName'>): string {
  return oneLine(productName, 200);
}

export function hasFiles({ fileCount }: Pick<Downloadable, 'fileCount'>): boolean {
  return fileCount > 0;
}

function fileWords(
  { messages, formats }: Wording,
  { fileCount, totalSize }: Pick<Downloadable, 'fileCount' | 'totalSize'>,
): string {
  return fileCount === 0 ? messages.noFiles : messages.files(fileCount, formats.size(totalSize));
}

/** The names that the shop gave the files; of many, the first. */
function fileNameWords({ fileNames = [], fileCount }: Downloadable): readonly string[] {
  if (fileNames.length === 0) return [];
  const names = fileNames.map((name) => oneLine(name, 60));
  return [[...names, ...(fileCount > names.length ? ['…'] : [])].join(', ')];
}

const MESSAGES: Readonly<Record<Language, MailMessages>> = { en, de, fr, es, pt, ja };

/** What mails say in a language. */
export function messagesOf(language: Language): MailMessages {
  return MESSAGES[language];
}

const TITLES = /^(mr|mrs|ms|mx|miss|dr|prof|herr|frau|sir|dame)\.?$/i;
/** Of several Chinese, Japanese or Korean words, the first is the family's name. Katakana alone writes a foreign one. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u;
const NOT_A_NAME = /^(inc|llc|ltd|gmbh|phd|md|jr|sr)$/i;

/**
 * The buyer's first name, or null where a guess could go wrong: people type companies, addresses and web
 * links into name fields, and a missing name was derived from the address.
 */
export function firstName({ name, email }: { readonly name: string; readonly email: string }): string | null {
  const whole = oneLine(name, 200);
  if (whole === '' || whole.toLowerCase() === localPart(email).toLowerCase()) return null;
  const [before = '', after = ''] = whole.split(',');
  // “Lima, Ana” is reordered; “Ana Lima, PhD” is not.
  const given = after.trim() !== '' && !before.trim().includes(' ') ? after : before;
  const [word, ...others] = given
    .trim()
    .split(' ')
    .filter((part) => !TITLES.test(part));
  if (!word || !isName(word) || (others.length > 0 && FAMILY_FIRST.test(word))) return null;
  return word;
}

function isName(word: string): boolean {
  const length = [...word].length;
  return length > 1 && length <= 30 && /^\p{L}[\p{L}\p{M}'’-]*$/u.test(word) && !NOT_A_NAME.test(word);
}
