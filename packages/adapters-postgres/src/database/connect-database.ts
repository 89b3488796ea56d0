import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import {
  answerTimeout,
  beginLimited,
  createPool,
  describePool,
  hasOwnSession,
  isSilent,
  type PoolUse,
} from './create-pool.ts';
import { createDatabaseProbe } from './database-probe.ts';
import { isOutdatedPlan, sendPrepared, toParameter } from './prepared.ts';
import { type ConnectionLimits, LIMITS, type Purpose } from './purposes.ts';
import { isLateRead, type ReplicaWatch, watchReplica } from './read-replica.ts';
import type { Db, Schema } from './schema.ts';
import { asStoreError } from './store-errors.ts';
import { BEGIN, type Send, sendEach, sendTogether } from './transact.ts';

/** If no statement got a connection for this long, all connections are stuck: a busy pool lends one sooner. */
const EXHAUSTED_AFTER_MS = 2_000;

/** What the adapter logs about problems that no caller learns of. */
export interface Log {
  warn(details: { readonly err: unknown }, message: string): void;
  error(details: { readonly err: unknown }, message: string): void;
}

/** The connections of one purpose to one database. */
export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Whether the database answers a trivial query in time, over a connection outside the pool. */
  answers(withinMs: number): Promise<boolean>;
  /** Whether statements wait for a connection and none got one for a while. */
  isExhausted(): boolean;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

/** The connections of a process, by what they are for. */
export interface Databases extends Readonly<Record<Purpose, Pick<Database, 'db'>>> {
  answers(withinMs: number): Promise<boolean>;
  /** How busy each pool is. */
  pools(): readonly PoolUse[];
  /** How far the read replica is behind, in milliseconds. Null: there is none, or it does not answer. */
  replicaLagMs(): number | null;
  /** Whether accepting webhooks has no connections left. */
  isExhausted(): boolean;
  close(): Promise<void>;
}

/** Opens a pool for each purpose, for a program that does everything. */
export function openDatabases({
  url,
  readUrl = null,
  log,
}: {
  readonly url: string;
  /** A standby that may answer reads of pages and lists. */
  readonly readUrl?: string | null;
  readonly log: Log;
}): Databases {
  const watch = readUrl === null ? null : watchReplica(url, readUrl, log);
  const replica = watch && {
    watch,
    pool: createPool({ url: readUrl ?? '', purpose: 'replica', limits: LIMITS.pages, log }),
  };
  const open = (purpose: Purpose) =>
    openDatabase({ url, purpose, log, limits: LIMITS[purpose], ...(purpose === 'pages' ? { replica } : {}) });
  const accepting = open('accepting');
  const others = { deciding: open('deciding'), pages: open('pages'), leases: open('leases') };
  const all = Object.entries({ accepting, ...others });
  return {
    accepting,
    ...others,
    answers: accepting.answers,
    pools: () => [
      ...all.map(([purpose, { pool }]) => describePool(purpose, pool)),
      ...(replica ? [describePool('replica', replica.pool)] : []),
    ],
    replicaLagMs: () => watch?.lagMs() ?? null,
    isExhausted: accepting.isExhausted,
    close: async () => {
      watch?.close();
      await Promise.all([...all.map(([, database]) => database.close()), replica?.pool.end()]);
    },
  };
}

/** Opens one pool, for a program with one purpose. */
export function openDatabase({
  url,
  purpose,
  limits = { ...LIMITS.deciding, maxConnections: 10 },
  log,
  replica = null,
}: {
  readonly url: string;
  readonly purpose?: Purpose | undefined;
  readonly limits?: ConnectionLimits;
  readonly log: Log;
  readonly replica?: Replica | null;
}): Database {
  const pool = createPool({ url, ...(purpose && { purpose }), limits, log });
  const probe = createDatabaseProbe(url);
  let servedAt = performance.now();
  const note = () => {
    servedAt = performance.now();
  };
  pool.on('acquire', note);
  const watched = reportOutages(pool, limits, () => pool.waitingCount === 0 && note());
  const routed = replica === null ? watched : readFromReplica(watched, replica, limits);
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: routed }) }),
    pool,
    answers: probe.answers,
    isExhausted: () => pool.waitingCount > 0 && performance.now() - servedAt > EXHAUSTED_AFTER_MS,
    close: async () => {
      probe.close();
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * Every query of every store passes through here, so this is the one place that turns a lost connection into a domain
 * error.
 */
function reportOutages(pool: pg.Pool, limits: ConnectionLimits, beforeWait: () => unknown): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      beforeWait();
      try {
        return reportClientOutages(await pool.connect(), limits);
      } catch (error) {
        throw asStoreError(error);
      }
    },
  };
}

interface Replica {
  readonly watch: ReplicaWatch;
  readonly pool: pg.Pool;
}

/** The first statement decides where a connection comes from. The primary answers what the replica cannot. */
function readFromReplica(
  primary: PostgresPool,
  { watch, pool }: Replica,
  limits: ConnectionLimits,
): PostgresPool {
  return {
    options: pool.options,
    end: () => primary.end(),
    connect: async () => {
      let client: PostgresPoolClient | null = null;
      const query = async (sql: string, parameters: readonly unknown[]) => {
        if (client === null && isLateRead(sql) && watch.isUsable()) {
          try {
            const reader = reportClientOutages(await pool.connect(), limits);
            try {
              return await reader.query(sql, parameters);
            } finally {
              reader.release();
            }
          } catch {
            // The replica was lost, refused a write, or cancelled a read that conflicted with its replay: ask the primary.
          }
        }
        client ??= await primary.connect();
        return client.query(sql, parameters);
      };
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client?.release(destroy),
      };
    },
  };
}

function reportClientOutages(client: pg.PoolClient, limits: ConnectionLimits): PostgresPoolClient {
  let trouble: Error | undefined;
  const send: Send = (text, values, place) => {
    if (text === BEGIN) return beginLimited(client, limits);
    const query = { text, values: [...values], query_timeout: answerTimeout(limits, place) };
    return limits.keepsPlans ? sendPrepared(client, query) : client.query(query);
  };
  // Behind a pooler that lends sessions, nothing is sent together: the limits travel with `begin`.
  const sendSoon = hasOwnSession(client) ? sendTogether(client, send, answerTimeout(limits)) : sendEach(send);
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      // Converted before anything is sent: a value that cannot be sent fails only its own statement.
      return await sendSoon(sql, parameters.map(toParameter));
    } catch (error) {
      if (isSilent(error)) {
        trouble = error;
        // Without this, a rollback would wait for an answer as well.
        client.connection.stream.destroy();
      }
      // The connection is closed: the next one prepares its statements for the current tables.
      if (isOutdatedPlan(error)) trouble = error;
      throw asStoreError(error);
    }
  };
  return {
    // Lists are read page by page, so no query uses a cursor.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(trouble ?? destroy),
  };
}
