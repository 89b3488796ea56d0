import type { Clock } from '@handover/domain';
import { DomainError } from '@handover/domain';
import type pg from 'pg';
import { overNewConnection } from './over-new-connection.ts';

/** The database's clock, as this process knows it. */
export interface DatabaseClock extends Clock {
  /** Reads the clock at once rather than at its next turn. */
  read(): Promise<void>;
  stop(): void;
}

const READ_EVERY_MS = 10_000;
const READ_WITHIN_MS = 5_000;
const READINGS = 3;

/** One look at the database's clock: how far it is ahead of ours, and by how much that may be wrong. */
interface Reading {
  readonly offset: number;
  readonly error: number;
}

/**
 * Resolves once the database has told its time. From then on the time is counted by this machine's monotonic clock, which
 * nobody sets, and compared with the database every few seconds. So all processes agree on what is due, whatever their
 * machines' clocks say; while the database is away, time goes on.
 *
 * @throws DomainError `store-unavailable` when the database does not tell the time.
 */
export async function startDatabaseClock(url: string): Promise<DatabaseClock> {
  let known = await readClock(url);
  const read = async (): Promise<void> => {
    known = choose(known, await readClock(url));
  };
  const timer = setInterval(() => read().catch(() => undefined), READ_EVERY_MS);
  timer.unref();
  return {
    now: () => new Date(performance.now() + known.offset),
    read,
    stop: () => clearInterval(timer),
  };
}

/**
 * A reading that the former one explains, and that is no better, changes nothing: the time does not go back and forth with
 * the network's pace.
 */
function choose(known: Reading, next: Reading): Reading {
  const agrees = Math.abs(next.offset - known.offset) <= known.error + next.error;
  return agrees && known.error <= next.error ? known : next;
}

async function readClock(url: string): Promise<Reading> {
  const readings = await overNewConnection(url, READ_WITHIN_MS, async (client) => {
    const found: Reading[] = [];
    while (found.length < READINGS) found.push(await readOnce(client));
    return found;
  });
  if (typeof readings === 'string') {
    throw new DomainError('store-unavailable', `The database does not tell the time: ${readings}.`);
  }
  return readings.reduce((best, reading) => (reading.error < best.error ? reading : best));
}

async function readOnce(client: pg.Client): Promise<Reading> {
  const asked = performance.now();
  const { rows } = await client.query<{ readonly now: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now',
  );
  const error = (performance.now() - asked) / 2;
  const [row] = rows;
  if (!row) throw new Error('The database told no time.');
  return { offset: row.now - asked - error, error };
}
