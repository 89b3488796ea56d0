import { stripVTControlCharacters } from 'node:util';
import { type Candidate, type OrderLine, parseDecimal } from '@handover/domain';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/**
 * More lines than an order has. A body within the size limit can contain over a million empty lines and
 * would block the process for seconds. One line beyond the limit is read, so that the excess can be
 * detected.
 */
export const MAX_LINES = 1000;

/**
 * Far longer than any field of an order. A longer text counts as absent: half of it could mean something
 * else.
 */
const MAX_TEXT_LENGTH = 100_000;

/** A payload as parsed: any member can be missing, whatever the schema says. */
export type AsRead<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly AsRead<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]?: AsRead<T[Member]> }
      : T;

/**
 * Reads the members of a payload that the schema names. A member that does not fit its schema, null and
 * blank text count as absent: an invalid field may leave an order incomplete, but never stops it. Null when
 * the payload is not an object. Numbers are text here (see `parseJsonExactly`), and all text is cleaned
 * (see `cleanText`).
 */
export function readPayload<const Schema extends TObject>(
  schema: Schema,
  payload: unknown,
): AsRead<Static<Schema>> | null {
  if (!isRecord(payload)) return null;
  return readerOf(schema)(payload) as AsRead<Static<Schema>>;
}

/** Reads one value; undefined if it is absent or does not fit. */
type Reader = (value: unknown) => unknown;

const readers = new WeakMap<TSchema, Reader>();

/** What is asked of a schema is found out once: every webhook of a platform is read by the same ones. */
function readerOf(schema: TSchema): Reader {
  const reader = readers.get(schema) ?? makeReader(schema);
  readers.set(schema, reader);
  return reader;
}

function makeReader(schema: TSchema): Reader {
  if (Type.IsObject(schema)) return readMembers(schema.properties);
  if (Type.IsArray(schema)) return readItems(readerOf(schema.items));
  if (isAny(schema, Type.IsString)) {
    return (value) => (typeof value === 'string' ? readText(value) : undefined);
  }
  if (isAny(schema, Type.IsBoolean)) return (value) => (typeof value === 'boolean' ? value : undefined);
  return (value) => {
    if (value === null || !Value.Check(schema, value)) return undefined;
    return typeof value === 'string' ? readText(value) : value;
  };
}

function readMembers(properties: TProperties): Reader {
  const members = Object.entries(properties).map(([name, schema]) => [name, readerOf(schema)] as const);
  return (value) => {
    if (!isRecord(value)) return undefined;
    const read: Record<string, unknown> = {};
    for (const [name, reader] of members) {
      const member = Object.hasOwn(value, name) ? reader(value[name]) : undefined;
      if (member !== undefined) read[name] = member;
    }
    return read;
  };
}

function readItems(reader: Reader): Reader {
  return (value) =>
    listItems(value)
      ?.slice(0, MAX_LINES + 1)
      .map(reader)
      .filter((item) => item !== undefined);
}

/** A list; or an object with numbers for names, which is how PHP encodes a list with a gap. */
function listItems(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : undefined;
}

function readText(text: string): string | undefined {
  return text.length > MAX_TEXT_LENGTH ? undefined : (cleanText(text) ?? undefined);
}

/** A value of that type, without further conditions: it is checked without the library, which takes much longer. */
function isAny(schema: TSchema, isOfType: (schema: TSchema) => boolean): boolean {
  return isOfType(schema) && Object.keys(schema).every((key) => key === 'type');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Joins first and last name, the family's first where it is written so: 山田 太郎. Either can be missing. */
export function joinNames(first: string | undefined, last: string | undefined): string | null {
  const parts = [first, last].map((part) => part?.trim() ?? '').filter((part) => part !== '');
  return (FAMILY_FIRST.test(parts.join('')) ? parts.reverse() : parts).join(' ') || null;
}

/** Chinese, Japanese and Korean. A name in katakana alone is a foreign one, which keeps its order. */
const FAMILY_FIRST =
  /^[\p{Script=Hiragana}\p{Script=Katakana}ー・]*[\p{Script=Han}\p{Script=Hangul}][\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・]*$/u;

/** `pads` of `/music/pads`. */
export function lastSegment(path: string | undefined): string | undefined {
  return path
    ?.split('/')
    .map((segment) => segment.trim())
    .findLast((segment) => segment !== '');
}

/**
 * Splits a text with several names at commas and semicolons. Never at blanks, because product names contain
 * them. It reads just enough names to detect that there are more than the limit.
 */
export function splitNames(text: string | undefined): readonly string[] {
  const names: string[] = [];
  for (const [piece] of (text ?? '').matchAll(/[^,;]+/g)) {
    const name = piece.trim();
    if (name !== '') names.push(name);
    if (names.length > MAX_LINES) break;
  }
  return names;
}

/**
 * The lines of the items that were bought: one with a quantity of 0 was not. `translate` adds to `notes` what is unusual
 * about a line, under its name.
 */
export function translateItems<Item extends { readonly quantity?: string }>(
  items: readonly Item[],
  notes: string[],
  translate: (item: Item, name: string, notes: string[]) => OrderLine,
): readonly OrderLine[] {
  const bought = items.filter(({ quantity }) => readQuantity(quantity) !== 0);
  return bought.map((item, position) => translate(item, `Line ${position + 1}`, notes));
}

/** The quantity of a line. A missing quantity means one; so does an unreadable one, with a note. */
export function countItems(quantity: string | undefined, line: string, notes: string[]): number {
  const count = readQuantity(quantity);
  if (count === null && quantity !== undefined) notes.push(`${line}: no readable quantity; taken as 1.`);
  return count ?? 1;
}

/** The candidates for a line's product, best first: the merchant's own texts before the vendor's numbers. */
export function listCandidates({
  skus,
  vendorIds,
}: {
  readonly skus: readonly (string | undefined)[];
  readonly vendorIds: readonly (string | undefined)[];
}): readonly Candidate[] {
  return [
    ...skus.filter(isGiven).map((value) => ({ kind: 'sku', value }) as const),
    ...vendorIds.filter(isGiven).map((value) => ({ kind: 'vendor-id', value }) as const),
  ];
}

/** A whole number from 0 up, also when written as `2.0`; null for any other text. */
export function readQuantity(text: string | undefined): number | null {
  const decimal = parseDecimal(text ?? '');
  if (!decimal) return null;
  const { units, scale } = decimal;
  const one = 10n ** BigInt(scale);
  const quantity = Number(units / one);
  return units >= 0n && units % one === 0n && Number.isSafeInteger(quantity) ? quantity : null;
}

/** Platforms write 0 for a missing SKU, variant or product. */
function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value !== '0';
}

/** The maximum length of each text, in UTF-16 units: index rows of the database are limited. */
export const MAX_LENGTHS = {
  orderId: 200,
  orderNumber: 200,
  sku: 200,
  name: 300,
  email: 254,
  currency: 20,
  /** Of a language tag: https://www.rfc-editor.org/rfc/rfc5646#section-4.4.1 */
  language: 35,
  sentence: 500,
} as const;

/**
 * One line of text as stored: well-formed, without control characters (PostgreSQL cannot store NUL),
 * trimmed; null when nothing is left.
 */
export function cleanText(text: string): string | null {
  // Nearly all text is clean, and is only scanned.
  const clean = UNCLEAN.test(text)
    ? text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ').replace(/\p{Cc}+/gu, '')
    : text;
  const trimmed = clean.toWellFormed().trim();
  return trimmed === '' ? null : trimmed;
}

const UNCLEAN = /[\p{Cc}\u2028\u2029]/u;

/** Truncates a text, never within a surrogate pair. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return text
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

const MAX_REASON = 300;

/**
 * What other people's code threw, for a sentence at a terminal: one short line without control characters, escape
 * sequences or changes of direction. Anything can be thrown, also what cannot be turned into a text.
 */
export function describeThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : thrown;
    const line = cleanText(stripVTControlCharacters(String(text)).replace(DIRECTIONS, '')) ?? NO_REASON;
    return line.length <= MAX_REASON ? line : `${cutText(line, MAX_REASON)}…`;
  } catch {
    return NO_REASON;
  }
}

const NO_REASON = 'It gave no reason.';

/** Characters that turn the direction of the text after them. */
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
