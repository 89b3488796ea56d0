import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Log } from './connect-database.ts';
import type { ConnectionLimits } from './purposes.ts';
import { parseTime } from './time-texts.ts';

/**
 * Within a transaction the code awaits only queries, and no request blocks the event loop for a second, so a client
 * that is silent for this long is frozen or gone. Others then wait for its locks for 5 s at most, including the time until its
 * session has ended.
 */
const IDLE_IN_TRANSACTION_MS = 4_000;

/** The server cancels a statement at its limit. A client that still has no answer this much later has lost its connection. */
const ANSWER_GRACE_MS = 500;

/** How long the client waits for the answer to the statement at this place of those sent together: each may take its full time. */
export function answerTimeout({ statementMs }: ConnectionLimits, place = 1): number {
  return place * (statementMs + ANSWER_GRACE_MS);
}

/** A connection that is idle for this long is closed: it costs the server megabytes. */
const IDLE_MS = 10_000;

/** Opens a pool of connections; each is opened when it is needed. A lost connection never ends the process. */
export function createPool({
  url,
  purpose = makeName(),
  limits,
  log,
}: {
  readonly url: string;
  /** Without one, the pool gets a name of its own. */
  readonly purpose?: string;
  readonly limits: ConnectionLimits;
  readonly log: Log;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.maxConnections,
    // Names the process and the purpose, as metrics do: an operator finds them in `pg_stat_activity`.
    application_name: `handover ${PROCESS_NAME} ${purpose}`,
    connectionTimeoutMillis: limits.waitMs,
    query_timeout: answerTimeout(limits),
    idleTimeoutMillis: IDLE_MS,
    // Detects idle connections whose peer is gone. `query_timeout` detects those that wait for an answer.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    // A statement is sent before the one in front of it was answered: see `sendTogether`.
    pipeline: true,
    onConnect: (client) => limitSession(client, limits),
  });
  pool.on('error', (error) => {
    // The pool's error contains the whole client, including the key that cancels its queries.
    const { name, message } = error;
    if (!pool.ending) log.warn({ err: { name, message } }, 'A database connection was lost');
  });
  // The pool does not listen to a client that is lent out, and an unhandled 'error' ends the process. The borrower
  // learns of the loss from the query that fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  dropWhenSilent(pool);
  return pool;
}

/** How busy a pool is: its connections, and the statements that wait for one. */
export interface PoolUse {
  readonly purpose: string;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

export function describePool(purpose: string, pool: pg.Pool): PoolUse {
  const { idleCount: idle, totalCount, waitingCount: waiting, options } = pool;
  return { purpose, used: totalCount - idle, idle, waiting, max: options.max };
}

const PROCESS_NAME = makeName();

function makeName(): string {
  return randomUUID().slice(0, 8);
}

/** What a connection found out about its session when it was opened. */
interface Session {
  /** Whether the session is the connection's own, and enforces the limits itself. */
  readonly isOwn: boolean;
  /** Whether the tables are distributed over several nodes, by Citus. */
  readonly isDistributed: boolean;
}

const sessions = new WeakMap<pg.ClientBase, Session>();

/**
 * On a direct connection the session enforces the limits for every statement, at no cost. A pooler that lends
 * sessions per transaction would pass them on to other clients, and it refuses unknown start-up parameters. It also
 * gives its clients other process ids, so the server itself checks whether the session is ours.
 */
async function limitSession(client: pg.ClientBase, limits: ConnectionLimits): Promise<void> {
  const settings = (isDistributed: boolean) =>
    [...OWN_SETTINGS, ...listSettings(limits, isDistributed)].map(
      ([name, value]) => `set_config('${name}', '${value}', false)`,
    );
  const { rows } = await client.query<Session>(
    `select
       "isOwn", "isDistributed",
       case when "isOwn" and "isDistributed" then array[${settings(true)}] when "isOwn" then array[${settings(false)}] end
     from (
       select pg_backend_pid() = $1 as "isOwn", exists (select from pg_extension where extname = 'citus') as "isDistributed"
       offset 0
     ) session`,
    [processIdOf(client)],
  );
  const [session] = rows;
  if (session) sessions.set(client, session);
}

/**
 * The server, the database or the role may have other defaults. Texts of times must be read as they were meant, and the stores
 * rely on statements that see what was committed before them.
 */
const OWN_SETTINGS = [
  ['datestyle', 'ISO'],
  ['default_transaction_isolation', 'read committed'],
] as const;

/**
 * Begins a transaction under the limits. Behind a pooler they travel with its `begin`, in the same message, and end
 * with the transaction.
 */
export async function beginLimited(client: pg.PoolClient, limits: ConnectionLimits): Promise<pg.QueryResult> {
  const { isOwn = false, isDistributed = false } = sessions.get(client) ?? {};
  if (isOwn) return client.query('begin');
  const settings = listSettings(limits, isDistributed).map(([name, value]) => `set local ${name} = ${value}`);
  const begin = ['begin isolation level read committed', 'set local datestyle = ISO'];
  const results: unknown = await client.query([...begin, ...settings].join('; '));
  // For several statements pg returns a list, which its types do not say.
  return (results as readonly [pg.QueryResult])[0];
}

/** Whether settings and prepared statements of this connection stay with it. Not behind a pooler that lends sessions. */
export function hasOwnSession(client: pg.ClientBase): boolean {
  return sessions.get(client)?.isOwn ?? false;
}

function listSettings(
  { statementMs, lockMs, keepsPlans, isDurable }: ConnectionLimits,
  isDistributed: boolean,
) {
  return [
    ['statement_timeout', statementMs],
    ['lock_timeout', lockMs],
    ['idle_in_transaction_session_timeout', IDLE_IN_TRANSACTION_MS],
    // For a statement of many parts, it compiles for seconds what then runs for milliseconds.
    ['jit', 'off'],
    // Citus finds the node of a statement by its values: most have no plan without them.
    ...(keepsPlans && !isDistributed ? [GENERIC_PLANS] : []),
    ...(keepsPlans ? KEPT_PLANS : []),
    ...(isDurable ? [] : ([['synchronous_commit', 'off']] as const)),
  ] as const;
}

/**
 * Without this, planning takes longer than executing. Statements must be written so that a generic plan made before there are
 * statistics still looks up each row in an index: otherwise it reads all rows of the organisation for each batch.
 */
const GENERIC_PLANS = ['plan_cache_mode', 'force_generic_plan'] as const;

const KEPT_PLANS = [
  ['enable_seqscan', 'off'],
  ['enable_bitmapscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
] as const;

/** The options that pg connected with; its types do not declare them. */
export function processIdOf(client: pg.ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

/**
 * A network partition leaves connections open whose peer is gone. A query on such a connection fails at its timeout.
 * The connection is then closed, and with it the idle ones, which may be dead as well: the next try gets a new one.
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
      // The pool drops an idle client at once; its socket's own close event would come too late for the next caller.
      if (hung !== client) hung.emit('error', error);
      hung.connection.stream.destroy();
    }
    idle.clear();
  });
}

/** Whether pg timed out waiting for an answer: it keeps the connection unless the caller closes it. */
export function isSilent(error: unknown): error is Error {
  return error instanceof Error && error.message === SILENCE;
}

/** The error of pg for a connection that does not answer. */
export function silence(): Error {
  return new Error(SILENCE);
}

const SILENCE = 'Query read timeout';

/** Parses PostgreSQL's values as pg does, but times faster. */
export const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
    ? parseTime
    : pg.types.getTypeParser(oid, format);
