import { createJobQueue, createPostgresStores, openDatabase } from '@handover/adapters-postgres';
import { openTestStores, type TestPostgres, type TestStores } from '@handover/adapters-postgres/testing';
import type { Job, Stores } from '@handover/domain';
import { startTcpProxy, type TcpProxy } from '../network/tcp-proxy.ts';
import { describeJob } from './observe.ts';

/** A database for histories: its stores are reached through a proxy, and the test sets its time. */
export interface SimulatedPostgres {
  /** Bypasses the proxy: for reading the state, and for emptying it. */
  readonly direct: TestStores;
  readonly proxy: TcpProxy;
  /** Stores as a process reaches them: through the proxy. Those of one process know its claims. */
  connect(): Stores;
  setTime(at: Date): Promise<void>;
  /** Removes jobs with the same subject that are due by then. */
  finishJob(job: Job, nameAlertMail: (id: string) => string): Promise<void>;
  /**
   * Resolves once every cut connection is out of the pool, and PostgreSQL has finished the statements that came over
   * them: a statement whose client is gone still runs.
   */
  untilDrained(): Promise<void>;
  close(): Promise<void>;
}

const SILENT = { warn: () => undefined, error: () => undefined };
const SECRET_BOX = {
  seal: (plain: string) => plain,
  unseal: (sealed: string) => sealed,
  holds: (sealed: string, _context: string, plain: string) => sealed === plain,
};

export async function openSimulatedPostgres(postgres: TestPostgres): Promise<SimulatedPostgres> {
  const letIntervalsRun = stopIntervals();
  const direct = await openTestStores(postgres);
  await direct.database.pool.query(CLOCK);
  const simulatedTime = withSearchPath(direct.url);
  const proxy = await startTcpProxy(simulatedTime);
  const database = openDatabase({ url: proxy.url, log: SILENT });
  // A transaction queues jobs over its own connection. Only reads of the queue use this one.
  const queue = createJobQueue({ url: simulatedTime, log: SILENT });
  let time = 0;
  return {
    direct,
    proxy,
    connect: () => createPostgresStores({ database, jobs: queue, secretBox: SECRET_BOX }),
    setTime: async (at) => {
      if (at.getTime() === time) return;
      time = at.getTime();
      await direct.database.pool.query('update simulated.clock set at = $1', [at]);
    },
    finishJob: async (job, nameAlertMail) => {
      const queued = await direct.queuedJobs();
      const subject = describeJob(job);
      const done = queued.filter(
        (other) => describeJob(other, nameAlertMail) === subject && other.startAfter <= job.startAfter,
      );
      await direct.dropJobs(done);
    },
    untilDrained: async () => {
      while (proxy.openConnections() > 0 || database.pool.totalCount > 0) await aMoment();
      while (await isAnyServed(direct, database.pool.options.application_name ?? '')) await aMoment();
    },
    close: async () => {
      letIntervalsRun();
      await proxy.heal();
      await queue.stop();
      await database.close();
      await proxy.close();
      await direct.close();
    },
  };
}

/** Precedes PostgreSQL's own `now()` for sessions with this schema first in the search path. */
const CLOCK = `
  create schema simulated;
  create table simulated.clock (at timestamptz not null);
  insert into simulated.clock values (now());
  create function simulated.now() returns timestamptz language sql stable as 'select at from simulated.clock';
`;

function withSearchPath(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=simulated,public,pg_catalog');
  return url.href;
}

/**
 * Renewals of claims and checks of connections use the machine's clock, which is independent of the simulation's.
 * Until the returned function is called, intervals that begin do not fire.
 */
function stopIntervals(): () => void {
  const { setInterval: original } = globalThis;
  const MAX_MS = 2 ** 31 - 1;
  const stopped = (work: () => void) => original(work, MAX_MS).unref();
  globalThis.setInterval = Object.assign(stopped, original) as typeof setInterval;
  return () => {
    globalThis.setInterval = original;
  };
}

async function isAnyServed({ database }: TestStores, name: string): Promise<boolean> {
  const { rows } = await database.pool.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  );
  return rows.length > 0;
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}
