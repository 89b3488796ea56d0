import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Log } from './connect-database.ts';

/** A standby that is further behind is not read. A browser reads the primary for longer than this after an action. */
const MAX_LAG_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const ANSWER_LIMIT_MS = 2_000;
/** How many positions of the primary are kept to date those of the standby. */
const MAX_POSITIONS = 60;

/** Set while a request runs that a standby may answer, although its state is a little old. */
const mayBeLate = new AsyncLocalStorage<boolean>();

/** Runs the work of a request that only shows something: a standby may answer its reads. */
export function allowLateReads(work: () => void): void {
  mayBeLate.run(true, work);
}

/** Runs work that several requests share: one of them may have just changed what it reads. */
export function forbidLateReads<Result>(work: () => Result): Result {
  return mayBeLate.run(false, work);
}

/**
 * Whether a standby may answer: a read outside a transaction, of a request that allows it, and not of the tables that decide who
 * may do what. Anything doubtful goes to the primary.
 */
export function isLateRead(sql: string): boolean {
  return mayBeLate.getStore() === true && /^\s*(select|with)\b/i.test(sql) && !FORBIDDEN.test(sql);
}

const FORBIDDEN =
  /\b(insert|update|delete|lock|users|api_keys|user_sessions|user_devices|passkeys|passkey_challenges|sign_ins|invitations|throttles|organisations|jobs|leases)\b/i;

export interface ReplicaWatch {
  /** How far it is behind; null while it does not answer. */
  lagMs(): number | null;
  isUsable(): boolean;
  close(): void;
}

/**
 * Measures the lag of the standby: compares its position in the write-ahead log with positions that the primary had before. This
 * needs no superuser, and an idle primary does not look like a late standby.
 */
export function watchReplica(primaryUrl: string, replicaUrl: string, log: Log): ReplicaWatch {
  const primary = createObserver(primaryUrl);
  const replica = createObserver(replicaUrl);
  const positions: { readonly at: number; readonly position: bigint }[] = [];
  let lagMs: number | null = null;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const wasUsable = isUsable();
    try {
      const at = performance.now();
      positions.push({ at, position: await readPosition(primary, 'pg_current_wal_lsn()') });
      if (positions.length > MAX_POSITIONS) positions.shift();
      const replayed = await readPosition(replica, REPLAYED);
      const reached = positions.findLast(({ position }) => position <= replayed);
      // Not even at the oldest known position: the lag is more than the age of that one.
      lagMs = at - (reached ?? positions[0] ?? { at }).at + (reached ? 0 : LOOK_EVERY_MS * MAX_POSITIONS);
      if (!reached && positions.length < 2) lagMs = MAX_LAG_MS + 1;
    } catch (error) {
      lagMs = null;
      if (wasUsable) log.warn({ err: error }, 'The read replica does not answer; reading from the primary');
    }
    if (wasUsable && lagMs !== null && !isUsable()) {
      log.warn(
        { err: new Error(`${Math.round(lagMs)} ms behind`) },
        'The read replica is late; reading from the primary',
      );
    }
    if (!ended) timer = setTimeout(look, LOOK_EVERY_MS).unref();
  };
  const isUsable = () => lagMs !== null && lagMs <= MAX_LAG_MS;
  void look();
  return {
    lagMs: () => lagMs,
    isUsable,
    close: () => {
      ended = true;
      clearTimeout(timer);
      void Promise.all([primary.end(), replica.end()]).catch(() => undefined);
    },
  };
}

/** A pool of one connection, which is opened again after it was lost. */
function createObserver(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: 'handover replica watch',
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Null where nothing is replayed: a standby that was promoted has a log of its own, whose positions say nothing about its lag. */
const REPLAYED = 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end';

async function readPosition(pool: pg.Pool, position: string): Promise<bigint> {
  const { rows } = await pool.query<{ readonly position: string | null }>(
    `select (${position} - '0/0'::pg_lsn)::text as position`,
  );
  const found = rows[0]?.position ?? null;
  if (found === null) throw new Error('This server is not a standby.');
  return BigInt(found);
}
