import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** In larger pages a row takes hardly less time, and the text of a page takes memory. */
export const ROWS_PER_PAGE = 2000;

/** Very many rows as one text: the driver takes several times as long for separate values. */
export interface CellText {
  /** The cells with separators between them. Null: there are no rows. */
  readonly cells: string | null;
  readonly count: number;
}

/** Unlikely within a text, and a single byte. */
const UNIT_SEPARATOR = '\u001f';

/** A page of rows, and where it ended: null for the last one. */
export interface CellPage<End> {
  readonly cells: readonly string[];
  readonly end: End | null;
}

/**
 * The cells of all rows, each row with as many as `width`. If a text of the rows contains the separator, there are too many
 * cells, and the rows are read again with a separator that nobody could know when the text was written. A separator that
 * does not end as it begins is found only where it was inserted, or within a text, so the number of cells is proof.
 */
export async function readCells<Found extends CellText>(
  width: number,
  read: (separator: string) => Promise<Found>,
): Promise<{ readonly cells: readonly string[]; readonly found: Found }> {
  for (const separator of [UNIT_SEPARATOR, `${UNIT_SEPARATOR}${randomUUID()}`]) {
    const found = await read(separator);
    const cells = found.cells === null ? [] : found.cells.split(separator);
    if (cells.length === found.count * width) return { cells, found };
  }
  throw new Error('A cell of the rows is null.');
}

/** Selects what `readCells` reads. No value may be null: see `orEmpty`. */
export function selectCells(
  values: readonly RawBuilder<unknown>[],
  separator: string,
  order: RawBuilder<unknown>,
): RawBuilder<CellText> {
  return sql<CellText>`
    count(*)::integer as count,
    string_agg(concat_ws(${separator}::text, ${sql.join(values)}), ${separator}::text order by ${order}) as cells
  `;
}

/** `concat_ws` omits a null, and with it the cell. */
export function orEmpty(value: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce((${value})::text, '')`;
}
