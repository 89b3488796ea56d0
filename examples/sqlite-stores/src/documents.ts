import type { SQLOutputValue } from 'node:sqlite';

/** A row as JSON. Dates and bytes are written as objects whose names contain a NUL, which no input contains. */
export function writeDocument(row: unknown): string {
  return JSON.stringify(row, function (this: Record<string, unknown>, name, value) {
    const given = this[name];
    if (given instanceof Date) return { [DATE]: given.getTime() };
    return given instanceof Uint8Array ? { [BYTES]: Buffer.from(given).toString('base64') } : value;
  });
}

export function readDocument<Row>(document: SQLOutputValue | undefined): Row {
  return JSON.parse(String(document), (_name, value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (DATE in value) return new Date(value[DATE]);
    return BYTES in value ? Uint8Array.from(Buffer.from(value[BYTES], 'base64')) : value;
  });
}

const DATE = '\0date';
const BYTES = '\0bytes';
