/** Why JSON is not taken in, before any of it is parsed. */
export type JsonObjection =
  | 'not-json'
  | 'too-deep'
  | 'too-many-members'
  | 'too-many-names'
  | 'too-long-number';

/** An order of a thousand lines has about a third of these. */
const MAX_MEMBERS = 100_000;
/** A name that did not come before costs as much as ten members. Vendors have a few hundred. */
const MAX_NAMES = 10_000;
/** Far deeper than any order. */
const DEEPEST = 100;
const MAX_NUMBER_LENGTH = 1000;

/**
 * JSON with its numbers in quotes, so that `JSON.parse` alone keeps every digit of them: with a reviver it takes twenty
 * times as long. Whether it is JSON is left to `JSON.parse`, but for what the quotes would hide: a number must be one,
 * and cannot be a name. Each byte is looked at a bounded number of times.
 */
export function quoteNumbers(bytes: Uint8Array): Uint8Array | JsonObjection {
  const quoted = new Uint8Array(bytes.length + 2 * countNumbersAtMost(bytes));
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

/** Between two numbers there is another sign. One more than is let in is written before it is noticed. */
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

/** Where its closing quote is: the first one with an even number of backslashes before it. */
function endOfText(bytes: Uint8Array, start: number): number {
  let quote = findQuote(bytes, start + 1);
  while (quote >= 0 && isEscaped(bytes, start, quote)) quote = findQuote(bytes, quote + 1);
  return quote < 0 ? bytes.length : quote;
}

/** Short texts are gone through byte by byte, long ones are left to the native search. */
function findQuote(bytes: Uint8Array, from: number): number {
  const near = Math.min(bytes.length, from + 64);
  for (let at = from; at < near; at += 1) if (bytes[at] === QUOTE) return at;
  return bytes.indexOf(QUOTE, near);
}

/** Each run of backslashes is counted for the one quote behind it, so that all of them together are gone through once. */
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

/** By JSON's grammar: no `01`, no `1.`, no `.5`. */
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

/** Appends a part of one to the other. @returns where the next one goes. */
function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (end - start > 256) to.set(from.subarray(start, end), at);
  else for (let index = start; index < end; index += 1) to[at + index - start] = from[index] ?? 0;
  return at + end - start;
}

/**
 * Counts different names by their hashes: as good as exact, as long as nobody looks for names of one hash; and who finds
 * them gains the time that as many members of one name take.
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

/** By the hash of a name, the number of the body in which it came last. One table for all: a new one for each is garbage of 64 kB. */
const seenIn = new Uint32Array(1 << 16);
let latestBody = 0;

/** The numbers of bodies begin anew after four thousand million. */
function forgetNames(): number {
  seenIn.fill(0);
  return 1;
}
