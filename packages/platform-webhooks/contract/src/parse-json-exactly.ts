import { isUtf8 } from 'node:buffer';
import type { Unreadable } from './platform-webhook.ts';
import { type JsonObjection, quoteNumbers } from './quote-numbers.ts';

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
    return { kind: 'parsed', value: JSON.parse(new TextDecoder().decode(quoted)) };
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
