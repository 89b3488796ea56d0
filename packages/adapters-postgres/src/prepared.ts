import { createHash } from 'node:crypto';
import type { Kysely, QueryResult, RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Schema } from './schema.ts';

/** A connection keeps each named statement and its plan until it closes, so there is a limit to their number. */
const MAX_NAMES = 200;

const names = new Map<string, string>();

/**
 * Executes a statement that every order needs under a name, so that PostgreSQL parses and plans it once for a connection.
 * Its text must not depend on how much it is about: pass lists as arrays.
 */
export function executePrepared<Row>(
  db: Kysely<Schema>,
  statement: RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  const compiled = statement.compile(db);
  if (!names.has(compiled.sql) && names.size < MAX_NAMES) names.set(compiled.sql, hash(compiled.sql));
  return db.executeQuery(compiled);
}

/**
 * A plan is kept until the table is analysed, which may be a minute and many thousand rows after it was made: one that suited
 * an empty table would read all of it by then. So each connection plans anew after so many executions.
 */
const REPLAN_AFTER = 500;

const executions = new WeakMap<pg.ClientBase, number>();

/** Sends a statement, by its name if it has one. */
export async function sendQuery(
  client: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  const name = names.get(text);
  if (name === undefined) return client.query(text, values);
  const count = (executions.get(client) ?? 0) + 1;
  executions.set(client, count);
  if (count % REPLAN_AFTER === 0) await client.query('discard plans');
  return client.query({ name, text, values });
}

/**
 * Whether a statement may not be executed any more, because a migration changed the type of what it answers. It stays so on
 * this connection: within a transaction that failed it can't be prepared anew.
 */
export function isOutdatedPlan(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '0A000';
}

/**
 * The name says what the text is, so that another process that shares the session by way of a pooler can only mean the same
 * statement by it.
 */
function hash(text: string): string {
  return `handover_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
