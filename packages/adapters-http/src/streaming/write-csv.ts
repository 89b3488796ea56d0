import { format } from 'fast-csv';

/** How the cell of each column is written, in the order of the columns. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | DecimalCell>>;

/** A number with a point, such as an amount. */
export interface DecimalCell {
  readonly decimal: string;
}

/** Which separator a spreadsheet expects, and how it reads numbers. */
export interface CsvFormat {
  readonly separator: ',' | ';';
  readonly decimalSign: '.' | ',';
}

/** RFC 4180, as programs read it. */
export const WITH_COMMAS: CsvFormat = { separator: ',', decimalSign: '.' };
/** Excel takes both from the system's language, and opens a table with commas as one column where numbers have them. */
export const WITH_SEMICOLONS: CsvFormat = { separator: ';', decimalSign: ',' };

/** Writes rows as CSV, and reads them as chunks are asked for. */
export async function* writeCsv<Row>(
  columns: Columns<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
  { separator, decimalSign }: CsvFormat = WITH_COMMAS,
): AsyncGenerator<Uint8Array, void, undefined> {
  const cells = Object.values(columns);
  const write = (cell: string | DecimalCell) =>
    typeof cell === 'string' ? cell : cell.decimal.replace('.', decimalSign);
  const csv = format({
    delimiter: separator,
    headers: Object.keys(columns),
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  for await (const row of rows) {
    csv.write(cells.map((cellOf) => write(cellOf(row))));
    // From here on it would only keep the rows.
    if (csv.readableLength >= csv.readableHighWaterMark) yield csv.read();
  }
  csv.end();
  yield* csv;
}

/**
 * Spreadsheets run a cell as a formula when it begins with one of these characters, some of them after
 * blanks or in their full-width form. An apostrophe before it makes the cell text. Where semicolons separate, cells of a table
 * with commas begin behind those and behind line breaks, too, in the middle of ours.
 */
export function asText(text: string): string {
  // Most texts have none of what makes a formula, and this is found in a fifth of the time.
  if (!/[=+\-@＝＋－＠\t\r\n\0]/u.test(text)) return text;
  // Remove NUL first: the writer drops it, and the character after it would then begin the cell.
  const cell = text
    .replaceAll('\0', '')
    .replace(/(?<=[;\r\n])(?:(?![\r\n])[\s\p{C}])*[=+\-@＝＋－＠]/gu, "'$&");
  return /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;
}
