import { SEPARATOR } from './translate-lines.ts';

/**
 * The body with its product names on one line each: where several names stand below one another, reading the
 * payload would make one name of them.
 */
export function keepLineBreaks(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { items } = body;
  const joined = Array.isArray(items)
    ? { items: items.map((item) => (isRecord(item) ? joinNamed(item) : item)) }
    : {};
  return { ...joinNamed(body), ...joined };
}

type Members = Readonly<Record<string, unknown>>;

const NAMES = ['sku', 'productPath', 'productName', 'OrderProductNames'];

function joinNamed(value: Members): Members {
  const members = Object.entries(value).filter(([name]) => NAMES.includes(name));
  return { ...value, ...Object.fromEntries(members.map(([name, text]) => [name, joinLines(text)])) };
}

function joinLines(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().replace(/[\r\n]+/g, SEPARATOR) : value;
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
