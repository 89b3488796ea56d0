import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Log } from './connect-database.ts';
import { getTypeParser } from './parse-time.ts';
import type { ConnectionLimits } from './purposes.ts';

/**
 * Nothing but queries is awaited within a transaction, and no request holds the event loop for a second, so a client that
 * is silent for this long is frozen or gone. Others wait for its locks for 5 s at most, with the time it takes to end it.
 */
const IDLE_IN_TRANSACTION_MS = 4_000;

/** The server ends a statement that takes too long. Who has heard nothing by then, is not connected to it any more. */
const ANSWER_GRACE_MS = 500;

/** A connection that nobody used for this long is closed: it costs the server megabytes. */
const IDLE_MS = 10_000;

/** Opens a pool of connections; none is made before it is needed. Nothing about a lost one ends the process. */
export function createPool({
  url,
  limits,
  log,
}: {
  readonly url: string;
  readonly limits: ConnectionLimits;
  readonly log: Log;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.maxConnections,
    // Of the process, and of the pool: so that an operator can tell them apart.
    application_name: `handover ${PROCESS_NAME} ${makeName()}`,
    connectionTimeoutMillis: limits.waitMs,
    query_timeout: limits.statementMs + ANSWER_GRACE_MS,
    idleTimeoutMillis: IDLE_MS,
    // Finds idle connections with nobody at the other end. Those that wait for an answer are found by `query_timeout`.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    onConnect: (client) => limitSession(client, limits),
  });
  pool.on('error', (error) => {
    // The pool's error holds the whole client, with the key that cancels its queries.
    const { name, message } = error;
    if (!pool.ending) log.warn({ err: { name, message } }, 'A database connection was lost');
  });
  // While a client is lent out the pool does not listen to it, and an 'error' that nobody hears ends the
  // process. Whoever borrowed it learns of the loss from the query that fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  dropWhenSilent(pool);
  return pool;
}

const PROCESS_NAME = makeName();

function makeName(): string {
  return randomUUID().slice(0, 8);
}

/** Sessions that hold the limits themselves. */
const limitedSessions = new WeakSet<pg.ClientBase>();

/**
 * On a direct connection the session holds the limits, for every statement and at no cost. Behind a pooler that lends its
 * sessions by the transaction, they would be left to others; such a pooler also refuses unknown start-up parameters. It
 * tells its clients process ids of its own, so the server itself sees whether the session is ours.
 */
async function limitSession(client: pg.ClientBase, limits: ConnectionLimits): Promise<void> {
  const settings = listSettings(limits).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const { rows } = await client.query(`select ${settings} where pg_backend_pid() = $1`, [
    processIdOf(client),
  ]);
  if (rows.length > 0) limitedSessions.add(client);
}

/** Begins a transaction under the limits: behind a pooler they go with its `begin`, in the same message, and end with it. */
export async function beginLimited(client: pg.PoolClient, limits: ConnectionLimits): Promise<pg.QueryResult> {
  if (limitedSessions.has(client)) return client.query('begin');
  const settings = listSettings(limits).map(([name, value]) => `set local ${name} = ${value}`);
  const results: unknown = await client.query(['begin', ...settings].join('; '));
  // Of several statements pg answers with a list, which its types do not say.
  return (results as readonly [pg.QueryResult])[0];
}

function listSettings({ statementMs, lockMs, keepsPlans }: ConnectionLimits) {
  return [
    ['statement_timeout', statementMs],
    ['lock_timeout', lockMs],
    ['idle_in_transaction_session_timeout', IDLE_IN_TRANSACTION_MS],
    ...(keepsPlans ? KEPT_PLANS : []),
  ] as const;
}

/**
 * Planning took longer than executing. A plan that was made before there are statistics looks up each row in an index all the
 * same: else it reads all rows of the organisation for each batch.
 */
const KEPT_PLANS = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
  ['enable_bitmapscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
  ['jit', 'off'],
] as const;

/** What pg was told when it connected; its types do not say that it knows. */
function processIdOf(client: pg.ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

/**
 * A network that parts without a word leaves connections open with nobody at the other end. A query over one of them ends
 * at its time limit. The connection is given up then, and with it the idle ones, which may have died as well: whoever
 * tries again is given a new one.
 */
function dropWhenSilent(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (error, client) => {
    if (!isSilent(error)) {
      idle.add(client);
      return;
    }
    for (const hung of [client, ...idle]) {
      // So the pool drops an idle one at once; its socket's own end would come too late for whoever asks next.
      if (hung !== client) hung.emit('error', error);
      hung.connection.stream.destroy();
    }
    idle.clear();
  });
}

/** Whether pg gave up waiting for an answer: it goes on to use the connection unless it is told not to. */
export function isSilent(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}
