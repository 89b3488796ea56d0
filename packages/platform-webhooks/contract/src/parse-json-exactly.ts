import type { Unreadable } from './platform-webhook.ts';

export type ParsedBody = { readonly kind: 'parsed'; readonly value: unknown } | Unreadable;

/**
 * Parses JSON so that every number arrives as its own source text: ids beyond 2^53 and amounts like 49.90 keep
 * each digit. A byte order mark is tolerated, bytes that are not UTF-8 are not.
 */
export function parseJsonExactly(bytes: Uint8Array): ParsedBody {
  const text = decodeUtf8(bytes);
  if (text === null) return unreadable('The body is not valid UTF-8.');
  if (text.trim() === '') return unreadable('The body is empty.');
  if (text.trimStart().startsWith('<')) {
    return unreadable("The body is XML, not JSON: choose JSON as the webhook's format.");
  }
  if (hasTooManyMembers(bytes)) return unreadable('The body has more members than any order.');
  try {
    return { kind: 'parsed', value: parseWithSource(text, keepNumberText) };
  } catch (error) {
    // JSON.parse recurses when it revives, so only nesting that no platform sends can overflow the stack.
    const tooDeep = error instanceof RangeError;
    return unreadable(tooDeep ? 'The body is nested too deeply.' : 'The body is not valid JSON.');
  }
}

/** An order of a thousand lines has about a tenth of these. */
const MOST_MEMBERS = 300_000;
const [COMMA, BRACE, BRACKET] = [0x2c, 0x7b, 0x5b];

/**
 * A body within the size limit can hold millions of empty members, which take a hundred times its size once parsed,
 * and seconds in which nothing else is served. Commas inside of texts count too: texts that are all commas are no order.
 */
function hasTooManyMembers(bytes: Uint8Array): boolean {
  if (bytes.length <= MOST_MEMBERS) return false;
  let count = 0;
  for (const byte of bytes) {
    if (byte === COMMA || byte === BRACE || byte === BRACKET) count += 1;
  }
  return count > MOST_MEMBERS;
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** The reviver's third argument is in Node, but not yet in TypeScript's ES2024. */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

const keepNumberText: Reviver = (_key, value, { source }) =>
  typeof value === 'number' ? (source ?? String(value)) : value;

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function unreadable(problem: string): Unreadable {
  return { kind: 'unreadable', problem };
}
