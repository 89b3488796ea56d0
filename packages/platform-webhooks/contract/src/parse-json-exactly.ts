import { isUtf8 } from 'node:buffer';
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
  const quoted = quoteNumbers(DECODER.decode(bytes.subarray(start)));
  if ('objection' in quoted) return unreadable(OBJECTIONS[quoted.objection]);
  try {
    return { kind: 'parsed', value: JSON.parse(quoted.text) };
  } catch {
    return unreadable(OBJECTIONS['not-json']);
  }
}

/** `findStart` skips the first byte order mark. The JSON parser rejects another one. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

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
 * valid, and cannot be a name. Each character is read a bounded number of times.
 */
function quoteNumbers(text: string): { readonly text: string } | { readonly objection: JsonObjection } {
  const countName = createNameCount();
  let quoted = '';
  let [copied, depth, members, textStart] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (KINDS[text.charCodeAt(at)]) {
      case TEXT:
        textStart = at;
        at = endOfText(text, at);
        break;
      case NAMED:
        if (countName(text, textStart, at) > MAX_NAMES) return { objection: 'too-many-names' };
        break;
      case NEXT:
        members += 1;
        break;
      case OPEN:
        members += 1;
        depth += 1;
        if (depth > DEEPEST) return { objection: 'too-deep' };
        break;
      case CLOSE:
        depth -= 1;
        if (depth < 0) return { objection: 'not-json' };
        break;
      case NUMBER: {
        const end = endOfNumber(text, at);
        if (end - at > MAX_NUMBER_LENGTH) return { objection: 'too-long-number' };
        if (end < 0) return { objection: 'not-json' };
        quoted += `${text.slice(copied, at)}"${text.slice(at, end)}"`;
        copied = end;
        at = end - 1;
        break;
      }
    }
    if (members > MAX_MEMBERS) return { objection: 'too-many-members' };
  }
  return { text: quoted + text.slice(copied) };
}

const [TEXT, NAMED, NEXT, OPEN, CLOSE, NUMBER] = [1, 2, 3, 4, 5, 6];

const KINDS = new Uint8Array(128);
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
function endOfText(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, start, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

/** Counts each run of backslashes for the one quote after it, so that all runs together are read once. */
function isEscaped(text: string, start: number, quote: number): boolean {
  let at = quote - 1;
  while (at > start && text[at] === '\\') at -= 1;
  return (quote - 1 - at) % 2 === 1;
}

/** The end of a number that is valid and a value; otherwise -1. After a value, JSON has a comma or an end. */
function endOfNumber(text: string, start: number): number {
  JSON_NUMBER.lastIndex = start;
  if (!JSON_NUMBER.test(text)) return -1;
  AFTER_VALUE.lastIndex = JSON_NUMBER.lastIndex;
  return AFTER_VALUE.test(text) ? JSON_NUMBER.lastIndex : -1;
}

/** In JSON's grammar: not `01`, `1.` or `.5`. */
const JSON_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const AFTER_VALUE = /\s*(?:[,\]}]|$)/y;

/**
 * Counts distinct names by hash. Collisions are rare unless a sender constructs them, and then they save
 * only the time that as many repeated names take.
 */
function createNameCount(): (text: string, start: number, end: number) => number {
  latestBody = (latestBody + 1) >>> 0 || forgetNames();
  const body = latestBody;
  let count = 0;
  return (text, start, end) => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
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
