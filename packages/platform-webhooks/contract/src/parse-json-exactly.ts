import { Buffer, isUtf8 } from 'node:buffer';
import type { Unreadable } from './platform-webhook.ts';

/** A body as a value, or why it cannot be read. */
export type ParsedBody = { readonly kind: 'parsed'; readonly value: unknown } | Unreadable;

/**
 * Parses JSON and keeps every number as its source text: ids beyond 2^53 and amounts like 49.90 keep each
 * digit. It accepts a byte order mark and rejects bytes that are not UTF-8.
 *
 * A body within the size limit can contain millions of empty members. Parsed, they take a hundred times its
 * size, and block the process for seconds. So a body with more members or names than an order has is
 * rejected before it is parsed.
 */
export function parseJsonExactly(bytes: Uint8Array): ParsedBody {
  const parsed = parsedBefore.get(bytes) ?? parse(bytes);
  parsedBefore.set(bytes, parsed);
  return parsed;
}

/** The organisation and the order are read from the same body, one after the other. */
const parsedBefore = new WeakMap<Uint8Array, ParsedBody>();

function parse(bytes: Uint8Array): ParsedBody {
  if (!isUtf8(bytes)) return unreadable('The body is not valid UTF-8.');
  const start = findStart(bytes);
  if (start === bytes.length) return unreadable('The body is empty.');
  if (bytes[start] === LESS_THAN) {
    return unreadable("The body is XML, not JSON: choose JSON as the webhook's format.");
  }
  const quoted = quoteNumbers(bytes.subarray(start));
  if (typeof quoted === 'string') return unreadable(OBJECTIONS[quoted]);
  try {
    return { kind: 'parsed', value: JSON.parse(quoted.toString()) };
  } catch {
    return unreadable(OBJECTIONS['not-json']);
  }
}

const OBJECTIONS: Readonly<Record<JsonObjection, string>> = {
  'not-json': 'The body is not valid JSON.',
  'too-deep': 'The body is nested too deeply.',
  'too-many-members': 'The body has more members than any order.',
  'too-many-names': 'The body has more names of members than any order.',
  'too-long-number': 'The body holds a number with more digits than any.',
};

const LESS_THAN = 0x3c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Skips a byte order mark and blanks. */
export function findStart(bytes: Uint8Array): number {
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte);
  let start = isMarked ? BYTE_ORDER_MARK.length : 0;
  while (start < bytes.length && isBlank(bytes[start] ?? 0)) start += 1;
  return start;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function unreadable(problem: string): Unreadable {
  return { kind: 'unreadable', problem };
}

/** Why a JSON body is rejected before it is parsed. */
type JsonObjection = 'not-json' | 'too-deep' | 'too-many-members' | 'too-many-names' | 'too-long-number';

/** An order with a thousand lines has about a third of this. */
const MAX_MEMBERS = 100_000;
/** A new name costs as much as ten members. Vendors use a few hundred. */
const MAX_NAMES = 10_000;
/** Far deeper than any order. */
const DEEPEST = 100;
const MAX_NUMBER_LENGTH = 1000;

/**
 * Quotes the numbers of a JSON text, so that `JSON.parse` keeps every digit of them: a reviver takes twenty
 * times as long. `JSON.parse` validates the syntax, except what the quotes would hide: a number must be
 * valid, and cannot be a name. Each byte is read a bounded number of times.
 */
function quoteNumbers(bytes: Uint8Array): Buffer | JsonObjection {
  const longest = bytes.length + 2 * countNumbersAtMost(bytes);
  const quoted = longest <= SCRATCH.length ? SCRATCH : Buffer.alloc(longest);
  const countName = createNameCount();
  let [size, copied, depth, members, textStart, numbers] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    switch (KINDS[bytes[at] ?? 0]) {
      case TEXT:
        textStart = at;
        at = endOfText(bytes, at);
        break;
      case NAMED:
        if (countName(bytes, textStart, at) > MAX_NAMES) return 'too-many-names';
        break;
      case NEXT:
        members += 1;
        break;
      case OPEN:
        members += 1;
        depth += 1;
        if (depth > DEEPEST) return 'too-deep';
        break;
      case CLOSE:
        depth -= 1;
        break;
      case NUMBER: {
        const end = endOfNumber(bytes, at);
        numbers += 1;
        if (end - at > MAX_NUMBER_LENGTH) return 'too-long-number';
        if (!isNumber(bytes, at, end) || isName(bytes, end)) return 'not-json';
        if (numbers > MAX_MEMBERS) return 'too-many-members';
        size = copy(bytes, copied, at, quoted, size);
        quoted[size] = QUOTE;
        size = copy(bytes, at, end, quoted, size + 1);
        quoted[size] = QUOTE;
        size += 1;
        copied = end;
        at = end - 1;
        break;
      }
    }
    if (members > MAX_MEMBERS) return 'too-many-members';
  }
  size = copy(bytes, copied, bytes.length, quoted, size);
  return quoted.subarray(0, size);
}

/** Every body but a large one is written here: its text is read before the next body is written. */
const SCRATCH = Buffer.alloc(64 * 1024);

/**
 * Two numbers have at least one character between them. One number beyond the limit is written before it is
 * detected.
 */
function countNumbersAtMost({ length }: Uint8Array): number {
  return Math.min(MAX_MEMBERS + 1, Math.ceil(length / 2));
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [TEXT, NAMED, NEXT, OPEN, CLOSE, NUMBER] = [1, 2, 3, 4, 5, 6];

const KINDS = new Uint8Array(256);
for (const [signs, kind] of [
  ['"', TEXT],
  [':', NAMED],
  [',', NEXT],
  ['{[', OPEN],
  ['}]', CLOSE],
  ['-0123456789', NUMBER],
] as const) {
  for (const sign of signs) KINDS[sign.charCodeAt(0)] = kind;
}

/** Finds the closing quote: the first quote after an even number of backslashes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let quote = findQuote(bytes, start + 1);
  while (quote >= 0 && isEscaped(bytes, start, quote)) quote = findQuote(bytes, quote + 1);
  return quote < 0 ? bytes.length : quote;
}

/** Scans short texts byte by byte; the native search is faster for long ones. */
function findQuote(bytes: Uint8Array, from: number): number {
  const near = Math.min(bytes.length, from + 64);
  for (let at = from; at < near; at += 1) if (bytes[at] === QUOTE) return at;
  return bytes.indexOf(QUOTE, near);
}

/** Counts each run of backslashes for the one quote after it, so that all runs together are read once. */
function isEscaped(bytes: Uint8Array, start: number, quote: number): boolean {
  let at = quote - 1;
  while (at > start && bytes[at] === BACKSLASH) at -= 1;
  return (quote - 1 - at) % 2 === 1;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  const limit = Math.min(bytes.length, start + MAX_NUMBER_LENGTH + 1);
  while (end < limit && isOfNumber(bytes[end] ?? 0)) end += 1;
  return end;
}

/** Digits, a point, signs and an exponent. */
function isOfNumber(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2e ||
    byte === 0x2b ||
    byte === 0x2d ||
    (byte | 0x20) === 0x65
  );
}

/** A number in JSON's grammar: not `01`, `1.` or `.5`. */
function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const digitsFrom = (from: number) => {
    let at = from;
    while (at < end && isDigit(bytes[at])) at += 1;
    return at;
  };
  let at = bytes[start] === MINUS ? start + 1 : start;
  const whole = digitsFrom(at);
  if (whole === at || (bytes[at] === ZERO && whole > at + 1)) return false;
  at = whole;
  if (bytes[at] === POINT && at < end) {
    const fraction = digitsFrom(at + 1);
    if (fraction === at + 1) return false;
    at = fraction;
  }
  if (at === end) return true;
  if (((bytes[at] ?? 0) | 0x20) !== LETTER_E) return false;
  at += bytes[at + 1] === PLUS || bytes[at + 1] === MINUS ? 2 : 1;
  return at < end && digitsFrom(at) === end;
}

const [ZERO, MINUS, PLUS, POINT, LETTER_E] = [0x30, 0x2d, 0x2b, 0x2e, 0x65];

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isName(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1;
  return bytes[at] === COLON;
}

/**
 * Appends a part of one array to the other.
 * @returns the next write position.
 */
function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (end - start > 256) to.set(from.subarray(start, end), at);
  else for (let index = start; index < end; index += 1) to[at + index - start] = from[index] ?? 0;
  return at + end - start;
}

/**
 * Counts distinct names by hash. Collisions are rare unless a sender constructs them, and then they save
 * only the time that as many repeated names take.
 */
function createNameCount(): (bytes: Uint8Array, start: number, end: number) => number {
  latestBody = (latestBody + 1) >>> 0 || forgetNames();
  const body = latestBody;
  let count = 0;
  return (bytes, start, end) => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    const place = (hash ^ (hash >>> 16)) & 0xffff;
    if (seenIn[place] !== body) {
      seenIn[place] = body;
      count += 1;
    }
    return count;
  };
}

/**
 * Maps the hash of a name to the number of the last body that contained it. All bodies share one table: a
 * new table for each would be 64 kB of garbage.
 */
const seenIn = new Uint32Array(1 << 16);
let latestBody = 0;

/** The numbers of bodies restart after four thousand million. */
function forgetNames(): number {
  seenIn.fill(0);
  return 1;
}
