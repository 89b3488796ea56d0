import type { RawBuilder } from 'kysely';
import type { Db } from '../database/schema.ts';

/** The row of a statement that always returns one. */
export async function readRow<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row> {
  const [row] = (await statement.execute(db)).rows;
  if (!row) throw new Error('A statement that always returns a row returned none.');
  return row;
}
