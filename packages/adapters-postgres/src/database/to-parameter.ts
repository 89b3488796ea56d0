/**
 * What the driver sends for a value of a statement. It would write times and lists in the same way, but takes three times as
 * long for a list of texts, and every batch consists of them.
 */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value);
  if (value instanceof Date) return toTime(value);
  return Array.isArray(value) ? toList(value) : value;
}

/** PostgreSQL's text cannot store U+0000, but a payload that contains it must still be kept. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** ISO 8601 writes years before 1 and after 9999 in a form of its own. */
function toTime(time: Date): string {
  const text = time.toISOString();
  const year = time.getUTCFullYear();
  if (year > 9999) return text.replace(/^\+0*/, '');
  return year > 0 ? text : `${String(1 - year).padStart(4, '0')}${text.slice(text.indexOf('-', 1))} BC`;
}

/** The literal of an array: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function toList(list: readonly unknown[]): string {
  let literal = '';
  for (const item of list) literal += `${literal === '' ? '' : ','}${toItem(item)}`;
  return `{${literal}}`;
}

function toItem(item: unknown): string {
  if (item === null || item === undefined) return 'NULL';
  if (Array.isArray(item)) return toList(item);
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`;
  const value = toParameter(item);
  return quote(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function quote(text: string): string {
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}
