import { type Kysely, sql } from 'kysely';

/** Ends a statement: a semicolon that ends its line. */
const END = /;[ \t]*$/m;

/** Sends the statements of a text one by one: Citus refuses several at once where it passes them on to its nodes. */
export async function executeEach(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(END)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
