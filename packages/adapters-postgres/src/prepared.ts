import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A connection keeps each named statement and its plan until it closes, so there is a limit to their number. */
const MAX_NAMES = 200;
/** Texts that are seen once and never again must not fill the memory. */
const MAX_COUNTED = 1_000;
/** A statement that comes back this often is one of the program, not one whose text depends on what it is about. */
const NAMED_FROM = 3;

const names = new Map<string, string>();
const seen = new Map<string, number>();

/**
 * A plan is kept until the table is analysed, which may be a minute and many thousand rows after it was made: one that suited
 * an empty table would read all of it by then. So each connection plans anew after so many executions.
 */
const REPLAN_AFTER = 500;

const executions = new WeakMap<pg.ClientBase, number>();

/**
 * Sends a statement, under a name when it comes again and again, so that PostgreSQL parses and plans it once for a connection.
 * Its text must not depend on how much it is about, or it never gets one: pass lists as arrays.
 */
export async function sendPrepared(
  client: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  // Without values it is a `commit` or the like, which is sent faster as it is.
  const name = values.length > 0 ? nameOf(text) : undefined;
  if (name === undefined) return client.query(text, values);
  const count = (executions.get(client) ?? 0) + 1;
  executions.set(client, count);
  if (count % REPLAN_AFTER === 0) await client.query('discard plans');
  return client.query({ name, text, values });
}

/** Sends it over any connection of the pool. One on which it failed is closed: it may hang. */
export async function queryPrepared(pool: pg.Pool, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await sendPrepared(client, text, values);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= MAX_NAMES) return name;
  const count = (seen.get(text) ?? 0) + 1;
  if (count < NAMED_FROM) {
    if (seen.size >= MAX_COUNTED) seen.clear();
    seen.set(text, count);
    return undefined;
  }
  seen.delete(text);
  names.set(text, hash(text));
  return names.get(text);
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
