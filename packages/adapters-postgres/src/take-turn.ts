import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './connect-database.ts';

export interface Turn {
  readonly name: string;
  /** The pause between the end of one turn and the next. */
  readonly everyMs: number;
  /** A process that holds a turn for longer than this is taken for dead. */
  readonly withinMs: number;
}

/**
 * Does the work if it is due and no other process is at it; answers whether it did. The row says whose turn it is, by
 * the database's clock. Should a process outlast its turn, two would work at once: the work must bear that.
 */
export async function takeTurn(
  { db }: Pick<Database, 'db'>,
  { name, everyMs, withinMs }: Turn,
  work: () => Promise<void>,
): Promise<boolean> {
  const takenBy = randomUUID();
  const { rows } = await sql`
    insert into turns (name, due_at, taken_by) values (${name}, ${later(withinMs)}, ${takenBy})
    on conflict (name) do update set due_at = excluded.due_at, taken_by = excluded.taken_by
      where turns.due_at <= now()
    returning name
  `.execute(db);
  if (rows.length === 0) return false;
  try {
    await work();
  } finally {
    await sql`
      update turns set due_at = ${later(everyMs)}, taken_by = null where name = ${name} and taken_by = ${takenBy}
    `.execute(db);
  }
  return true;
}

function later(milliseconds: number) {
  return sql`now() + make_interval(secs => ${milliseconds / 1000}::double precision)`;
}
