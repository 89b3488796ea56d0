import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { format } from 'fast-csv';

/** Writes rows as CSV (RFC 4180) under these columns, and applies backpressure. */
export function writeCsv<Row, Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Row>,
  toCells: (row: Row) => Readonly<Record<Column, string>>,
): AsyncIterable<Uint8Array> {
  const csv = format({
    headers: [...columns],
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  // Reading the CSV reports an error of the rows.
  pipeline(Readable.from(mapRows(rows, toCells)), csv, () => undefined);
  return gather(csv);
}

async function* mapRows<Row, Cells>(rows: AsyncIterable<Row>, toCells: (row: Row) => Cells) {
  for await (const row of rows) yield toCells(row);
}

/**
 * Excel reads a file as UTF-8 only if it begins with this mark: without it, “Zoë” is “ZoÃ«”. For files that people
 * download; programs get none.
 */
export async function* markAsUtf8(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from([0xef, 0xbb, 0xbf]);
  yield* content;
}

const CHUNK_LENGTH = 64 * 1024;

/** fast-csv writes one chunk per row. Unbuffered, each would cost a write to the socket and an HTTP chunk. */
async function* gather(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < CHUNK_LENGTH) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    length = 0;
  }
  yield Buffer.concat(gathered);
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
