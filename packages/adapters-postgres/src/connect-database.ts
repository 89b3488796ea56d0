import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { createBackends } from './backends.ts';
import { createDatabaseProbe } from './database-probe.ts';
import { breakHungConnections } from './hung-connections.ts';
import { sendQuery } from './prepared.ts';
import type { Schema } from './schema.ts';
import { asStoreError } from './store-errors.ts';

/** Patience with a database that may be slow: to think it gone costs all that runs its connection. */
const THERE_WITHIN_MS = 2_000;

/**
 * Nothing but queries is awaited within a transaction, and no request holds the event loop for a second, so a client that
 * is silent for this long is frozen or gone.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

/** Longer than a frozen holder can keep a lock: by then it is not one lock that is waited for, but a queue of them. */
const LOCK_TIMEOUT_MS = 10_000;

/** What the adapter writes when something is amiss that no caller can be told of. */
export interface Log {
  warn(details: { readonly err: unknown }, message: string): void;
  error(details: { readonly err: unknown }, message: string): void;
}

export interface Database {
  readonly db: Kysely<Schema>;
  readonly pool: pg.Pool;
  /** Whether the database answers a trivial query in time, over a connection that is none of the pool's. */
  answers(withinMs: number): Promise<boolean>;
  /** Waits for the queries that run, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens a pool of connections; none is made before it is needed. Nothing about a lost one ends the process.
 */
export function openDatabase({
  url,
  max = 10,
  log,
}: {
  readonly url: string;
  readonly max?: number;
  readonly log: Log;
}): Database {
  const pool = createPool({ url, max, log });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: reportOutages(pool) }) });
  const probe = createDatabaseProbe(url);
  return {
    db,
    pool,
    answers: probe.answers,
    close: async () => {
      probe.close();
      if (!pool.ending) await pool.end();
    },
  };
}

export function createPool({ url, max, log }: { url: string; max: number; log: Log }): pg.Pool {
  const name = `handover ${randomUUID().slice(0, 8)}`;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: name,
    // Also how long a query waits for a free connection: under load that is patience, not an outage.
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const report = (error: Error) => {
    // The pool's error holds the whole client, with the key that cancels its queries.
    const { name, message } = error;
    if (!pool.ending) log.warn({ err: { name, message } }, 'A database connection was lost');
  };
  pool.on('error', report);
  // While a client is lent out the pool does not listen to it, and an 'error' that nobody hears ends the
  // process. Whoever borrowed it learns of the loss from the query that fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  breakHungConnections(pool, createBackends(url, name, THERE_WITHIN_MS));
  return pool;
}

/**
 * Every query of every store passes here, so this is the one place where a lost connection becomes an error
 * of ours.
 */
function reportOutages(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      try {
        return reportClientOutages(await pool.connect());
      } catch (error) {
        throw asStoreError(error);
      }
    },
  };
}

function reportClientOutages(client: pg.PoolClient): PostgresPoolClient {
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await (sql === BEGIN
        ? beginLimited(client)
        : sendQuery(client, sql, parameters.map(withoutNul)));
    } catch (error) {
      throw asStoreError(error);
    }
  };
  return {
    // Lists come page by page, so nothing here ever passes a cursor.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  };
}

/** What Kysely says to begin a transaction. */
const BEGIN = 'begin';

/**
 * A process that freezes within a transaction keeps its locks, and whoever waits for them keeps a connection of the pool:
 * soon nobody gets any further. So the server ends a transaction that is idle for longer than any process that runs,
 * and a wait for a lock that outlasts that. The limits hold for this transaction alone and go with its `begin`, so they
 * cost no round trip, and reach the right session through a pooler that shares sessions between transactions.
 */
async function beginLimited(client: pg.PoolClient): Promise<pg.QueryResult> {
  const results: unknown = await client.query(
    `${BEGIN};
     set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
     set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
  );
  // Of several statements pg answers with a list, which its types do not say.
  return (results as readonly [pg.QueryResult])[0];
}

/**
 * PostgreSQL's text has no place for U+0000. A payload that holds one must be kept all the same, for ever if
 * need be.
 */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return Array.isArray(value) ? value.map(withoutNul) : value;
}
