import { Buffer } from 'node:buffer';
import { format } from 'fast-csv';

/** Writes rows as CSV (RFC 4180) under these columns, and reads them as chunks are asked for. */
export async function* writeCsv<Row, Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Row>,
  toCells: (row: Row) => Readonly<Record<Column, string>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const csv = format({
    headers: [...columns],
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  for await (const row of rows) {
    csv.write(toCells(row));
    // From here on it would only keep the rows.
    if (csv.readableLength >= csv.readableHighWaterMark) yield csv.read();
  }
  csv.end();
  yield* csv;
}

/**
 * Excel reads a file as UTF-8 only if it begins with this mark: without it, “Zoë” is “ZoÃ«”. For files that people
 * download; programs get none.
 */
export async function* markAsUtf8(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from([0xef, 0xbb, 0xbf]);
  yield* content;
}

/**
 * Spreadsheets run a cell as a formula when it begins with one of these characters, some of them after
 * blanks or in their full-width form. A leading apostrophe makes the cell text.
 */
export function asText(text: string): string {
  // Remove NUL first: the writer drops it, and the character after it would then begin the cell.
  const cell = text.replaceAll('\0', '');
  return /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;
}
