import { isUtf8 } from 'node:buffer';
import { findStart, type ParsedBody, parseJsonExactly } from './parse-json-exactly.ts';
import type { Unreadable } from './platform-webhook.ts';

/** The pairs of a form, in order: names can repeat. */
export interface FormPairs {
  readonly kind: 'pairs';
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** More than any order needs, and few enough to limit the work per request: decoding takes 8 ms per MB. */
const MAX_PAIRS = 1000;
const MAX_FORM_BYTES = 2_000_000;
const DEEPEST = 8;
const MAX_NAME_LENGTH = 1000;
const EQUALS = 0x3d;
const HYPHEN = 0x2d;
const MULTIPART =
  'The body is of the type multipart/form-data: send JSON or application/x-www-form-urlencoded.';

/** Parses JSON or a form, by its content: merchants set the content type as they please. */
export function parseJsonOrForm(bytes: Uint8Array): ParsedBody {
  const start = findStart(bytes);
  // As a form it would have names that nobody reads, and a sale would be ignored.
  if (bytes[start] === HYPHEN && bytes[start + 1] === HYPHEN) return unreadable(MULTIPART);
  const first = String.fromCharCode(bytes[start] ?? 0);
  return '{["<'.includes(first) || !bytes.includes(EQUALS) ? parseJsonExactly(bytes) : parseForm(bytes);
}

/**
 * Parses a form into an object of texts. Brackets in names nest as in PHP: `order[charges][0][amount]`. If
 * a name repeats, the last value wins, again as in PHP.
 */
export function parseForm(bytes: Uint8Array): ParsedBody {
  const form = readFormPairs(bytes);
  if (form.kind === 'unreadable') return form;
  const root: Branch = new Map();
  for (const [name, value] of form.pairs) {
    const path = splitName(name);
    if (path === null || path.length > DEEPEST) return unreadable("The form's names are nested too deeply.");
    if (!path.some((step) => BUILT_IN.has(step))) plant(root, path, value);
  }
  return { kind: 'parsed', value: toObject(root) };
}

/** Reads a form as its pairs, in their order, repeated names too. It is in UTF-8, and not larger than that of any order. */
export function readFormPairs(bytes: Uint8Array): FormPairs | Unreadable {
  if (bytes.length > MAX_FORM_BYTES) return unreadable('The form is larger than that of any order.');
  if (!isUtf8(bytes)) return unreadable('The body is not valid UTF-8.');
  const text = new TextDecoder().decode(bytes).trim();
  if (text.split('&', MAX_PAIRS + 1).length > MAX_PAIRS) return unreadable('The form has too many fields.');
  return { kind: 'pairs', pairs: [...new URLSearchParams(text)] };
}

type Branch = Map<string, string | Branch>;

/** Names that must never be set from a request (prototype pollution). */
const BUILT_IN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A name with unbalanced brackets is used unchanged. Null: the name is too long and not parsed. */
function splitName(name: string): readonly string[] | null {
  if (!name.includes('[')) return [name];
  if (name.length > MAX_NAME_LENGTH) return null;
  if (!/^[^[\]]+(?:\[[^[\]]*\])+$/.test(name)) return [name];
  const steps = name.matchAll(/\[([^[\]]*)\]/g);
  return [name.slice(0, name.indexOf('[')), ...Array.from(steps, ([, step = '']) => step)];
}

function plant(branch: Branch, [step = '', ...rest]: readonly string[], value: string): void {
  const key = step === '' ? String(branch.size) : step;
  if (rest.length === 0) {
    branch.set(key, value);
    return;
  }
  const found = branch.get(key);
  const next: Branch = found instanceof Map ? found : new Map();
  branch.set(key, next);
  plant(next, rest, value);
}

function toObject(branch: Branch): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...branch].map(([key, value]) => [key, toValue(value)]));
}

/** Numbered members form a list; gaps between the numbers are closed. */
function toValue(value: string | Branch): unknown {
  if (typeof value === 'string') return value;
  const isList = [...value.keys()].every((key) => /^\d+$/.test(key));
  if (!isList) return toObject(value);
  return [...value].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => toValue(item));
}

function unreadable(problem: string): Unreadable {
  return { kind: 'unreadable', problem };
}
