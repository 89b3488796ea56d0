import { format } from 'fast-csv';

/** How the cell of each column is written, in the order of the columns. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Writes rows as CSV (RFC 4180), and reads them as chunks are asked for. */
export async function* writeCsv<Row>(
  columns: Columns<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const cells = Object.entries(columns);
  const csv = format({
    headers: Object.keys(columns),
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  for await (const row of rows) {
    csv.write(Object.fromEntries(cells.map(([name, write]) => [name, write(row)])));
    // From here on it would only keep the rows.
    if (csv.readableLength >= csv.readableHighWaterMark) yield csv.read();
  }
  csv.end();
  yield* csv;
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
