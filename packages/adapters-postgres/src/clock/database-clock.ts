import { uptime } from 'node:os';
import { type Clock, DomainError } from '@handover/domain';
import pg from 'pg';

/** The database's clock, as this process knows it. */
export interface DatabaseClock extends Clock {
  /** Reads the clock now, not at the next interval. */
  read(): Promise<void>;
  stop(): void;
}

const READ_EVERY_MS = 10_000;
const READ_WITHIN_MS = 5_000;
const READINGS = 3;

/** One reading of the database's clock: its offset to ours, and the maximum error. */
interface Reading {
  readonly offset: number;
  readonly error: number;
}

/**
 * Resolves once the database has told its time. From then on, clocks of this machine that nothing sets count the
 * time. It is compared with the database every few seconds, and at once when the machine seems to have slept. So all
 * processes agree on what is due, whatever their machines' clocks say, and time goes on while the database is down.
 *
 * @throws DomainError `store-unavailable` when the database does not tell the time.
 */
export async function startDatabaseClock(url: string, clocks = MACHINE_CLOCKS): Promise<DatabaseClock> {
  let afterGap = (): unknown => undefined;
  const elapsed = createElapsedTime(clocks, () => afterGap());
  let known = await readClock(url, elapsed);
  const read = async (): Promise<void> => {
    known = choose(known, await readClock(url, elapsed));
  };
  const readQuietly = () => read().catch(() => undefined);
  // A caller gets the time at once, so this reading counts from the next call on.
  afterGap = readQuietly;
  const timer = setInterval(readQuietly, READ_EVERY_MS);
  timer.unref();
  return {
    now: () => new Date(elapsed() + known.offset),
    read,
    stop: () => clearInterval(timer),
  };
}

/**
 * A reading that agrees with the previous one and is not more exact changes nothing: network latency must not move
 * the time back and forth.
 */
function choose(known: Reading, next: Reading): Reading {
  const agrees = Math.abs(next.offset - known.offset) <= known.error + next.error;
  return agrees && known.error <= next.error ? known : next;
}

async function readClock(url: string, elapsed: () => number): Promise<Reading> {
  const readings = await overNewConnection(url, READ_WITHIN_MS, async (client) => {
    const found: Reading[] = [];
    while (found.length < READINGS) found.push(await readOnce(client, elapsed));
    return found;
  });
  if (typeof readings === 'string') {
    throw new DomainError('store-unavailable', `The database does not tell the time: ${readings}.`);
  }
  return readings.reduce((best, reading) => (reading.error < best.error ? reading : best));
}

async function readOnce(client: pg.Client, elapsed: () => number): Promise<Reading> {
  const asked = elapsed();
  const { rows } = await client.query<{ readonly now: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now',
  );
  const error = (elapsed() - asked) / 2;
  const [row] = rows;
  if (!row) throw new Error('The database told no time.');
  return { offset: row.now - asked - error, error };
}

/** `refused`: the server is up and refuses to answer. `silent`: it did not answer in time. */
type NoAnswer = 'refused' | 'silent';

/** The result of `ask`, unless the server refuses or does not answer in time. */
async function overNewConnection<Answer>(
  url: string,
  withinMs: number,
  ask: (client: pg.Client) => Promise<Answer>,
): Promise<Answer | NoAnswer> {
  const client = new pg.Client({ connectionString: url, application_name: 'handover question' });
  client.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'silent'>((resolve) => {
    timer = setTimeout(resolve, withinMs, 'silent');
  });
  const asked = client
    .connect()
    .then(() => ask(client))
    .catch((error): NoAnswer => (error instanceof pg.DatabaseError ? 'refused' : 'silent'));
  const answer = await Promise.race([asked, late]);
  clearTimeout(timer);
  // A hung server would not answer a graceful close.
  client.connection.stream.destroy();
  return answer;
}

/** The clocks of a machine, in milliseconds. Only the difference between two readings of one clock has a meaning. */
export interface MachineClocks {
  /** Nothing can set it. On some systems it stops while the machine sleeps. */
  monotonic(): number;
  /** It includes sleep, and it can be set. */
  wall(): number;
  /** It includes sleep, and nothing can set it, but it is coarse and slow to read. */
  uptime(): number;
}

export const MACHINE_CLOCKS: MachineClocks = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  uptime: () => uptime() * 1000,
};

/** More than the error of the uptime (a second), and less than any signature's tolerance. */
const MAX_GAP_MS = 2_000;

/**
 * Counts elapsed time, including the sleep of the machine, and calls `onGap` when the clocks diverge: values derived
 * from this count may be wrong then and must be compared with the database.
 *
 * The wall clock shows that they diverged, but not why: the machine slept, or the clock was set. To trust it would
 * let a wrong clock decide what is due, so the uptime decides how much of the gap was sleep.
 */
export function createElapsedTime(clocks: MachineClocks, onGap: () => void): () => number {
  const wallLead = () => clocks.wall() - clocks.monotonic();
  const uptimeLead = () => clocks.uptime() - clocks.monotonic();
  const uptimeAtFirst = uptimeLead();
  let knownWall = wallLead();
  let slept = 0;
  return () => {
    if (Math.abs(wallLead() - knownWall) > MAX_GAP_MS) {
      knownWall = wallLead();
      const asleep = uptimeLead() - uptimeAtFirst;
      if (asleep - slept > MAX_GAP_MS) slept = asleep;
      onGap();
    }
    return clocks.monotonic() + slept;
  };
}
