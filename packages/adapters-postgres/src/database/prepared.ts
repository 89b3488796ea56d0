import { createHash } from 'node:crypto';
import type pg from 'pg';
import { hasOwnSession } from './create-pool.ts';

/** A connection keeps each named statement and its plan until it closes, so their number is limited. */
const MAX_NAMES = 200;
/** Limits the memory for texts that occur only once. */
const MAX_COUNTED = 1_000;
/** A statement that recurs this often is a fixed statement of the program, not one whose text depends on its values. */
const NAMED_FROM = 3;

const names = new Map<string, string>();
const seen = new Map<string, number>();

/**
 * PostgreSQL keeps a plan until the table is analysed, which can be a minute and many thousand rows later: a plan
 * made for an empty table would read the whole table by then. So each connection plans again after this many
 * executions.
 */
const REPLAN_AFTER = 500;

const executions = new WeakMap<pg.ClientBase, number>();

interface PreparedQuery {
  readonly text: string;
  readonly values: unknown[];
  /** In milliseconds; left out: that of the pool. */
  readonly query_timeout?: number;
}

/**
 * Sends a statement, under a name if it recurs, so that PostgreSQL parses and plans it once per connection. Its text
 * must not depend on the number of values, or it never gets a name: pass lists as arrays. Behind a pooler it gets none:
 * the next transaction can run in a session that does not know it.
 */
export async function sendPrepared(client: pg.ClientBase, query: PreparedQuery): Promise<pg.QueryResult> {
  const { text, values } = query;
  // Without values it is a `commit` or similar, which is faster unprepared.
  const name = values.length > 0 && hasOwnSession(client) ? nameOf(text) : undefined;
  if (name === undefined) return client.query(query);
  const named = { name, ...query };
  const count = (executions.get(client) ?? 0) + 1;
  executions.set(client, count);
  if (count % REPLAN_AFTER !== 0) return client.query(named);
  // Both are sent at once: no later statement of the transaction may come between them.
  const [, result] = await Promise.all([
    client.query({ ...query, text: 'discard plans', values: [] }),
    client.query(named),
  ]);
  return result;
}

/** Sends it over any connection of the pool. A connection on which it failed is closed: it may hang. */
export async function queryPrepared(pool: pg.Pool, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await sendPrepared(client, { text, values });
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
 * Whether a prepared statement is invalid because a migration changed its result type. It stays invalid on this
 * connection: it cannot be prepared again within a failed transaction.
 */
export function isOutdatedPlan(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '0A000';
}

function hash(text: string): string {
  return `handover_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/**
 * What the driver sends for a value of a statement. It would write times and lists in the same way, but takes three times as
 * long for a list of texts, and every batch consists of them.
 */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value);
  if (value instanceof Date) return toTime(value);
  return Array.isArray(value) ? toList(value) : value;
}

/** PostgreSQL's text cannot store U+0000, but a payload that contains it must still be kept. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** ISO 8601 writes years before 1 and after 9999 in a form of its own. */
function toTime(time: Date): string {
  const text = time.toISOString();
  const year = time.getUTCFullYear();
  if (year > 9999) return text.replace(/^\+0*/, '');
  return year > 0 ? text : `${String(1 - year).padStart(4, '0')}${text.slice(text.indexOf('-', 1))} BC`;
}

/** The literal of an array: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function toList(list: readonly unknown[]): string {
  let literal = '';
  for (const item of list) {
    if (literal !== '') literal += ',';
    literal += typeof item === 'string' ? toText(item) : toItem(item);
  }
  return `{${literal}}`;
}

function toItem(item: unknown): string {
  if (item === null || item === undefined) return 'NULL';
  if (Array.isArray(item)) return toList(item);
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`;
  const value = toParameter(item);
  return toText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Most texts contain nothing to escape: then this only scans them. */
function toText(text: string): string {
  return SPECIAL.test(text) ? `"${withoutNul(text).replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

const SPECIAL = /["\\\0]/;
