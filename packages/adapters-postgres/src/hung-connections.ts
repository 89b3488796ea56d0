import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Backends, processIdOf } from './backends.ts';

const LOOK_EVERY_MS = 1_000;
const SILENT_FOR_MS = 2_000;
/** An answer that has left the server arrives within this, or it will not arrive. */
const LOOK_AGAIN_AFTER_MS = 500;

/**
 * A network that parts without a word leaves connections open with nobody at the other end, and what was
 * sent into the void is given up by the kernel after a quarter of an hour: so long a query would hang, and
 * keep its place in the pool, though the database was back after seconds.
 *
 * So when the answer to a query has been awaited for a while, we ask over a new connection. If nobody is
 * there, every connection that stayed silent meanwhile is broken off: its query fails as those of lost
 * connections do, and the pool makes a new one. If the server is there, we ask it what becomes of the query:
 * one that it works on is merely slow, and nothing happens to it; but a server that twice knows nothing of a
 * query whose answer we wait for has never heard of it, or its answer was lost on the way.
 */
export function breakHungConnections(pool: pg.Pool, backends: Backends): void {
  const clients = new Set<pg.PoolClient>();
  const lent = new Map<pg.PoolClient, Heard>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('acquire', (client) => lent.set(client, { bytes: bytesFrom(client), since: performance.now() }));
  pool.on('release', (_error, client) => lent.delete(client));
  pool.on('remove', (client) => clients.delete(client));
  let asking = false;

  const timer = setInterval(() => {
    if (pool.ended) clearInterval(timer);
    const now = performance.now();
    for (const [client, { bytes }] of lent) {
      if (bytesFrom(client) === bytes && isWaiting(client)) continue;
      lent.set(client, { bytes: bytesFrom(client), since: now });
    }
    const silent = [...lent].filter(([, { since }]) => now - since >= SILENT_FOR_MS).map(listen);
    if (silent.length === 0 || asking) return;
    asking = true;
    askAndBreak(silent).finally(() => {
      asking = false;
    });
  }, LOOK_EVERY_MS);
  timer.unref();

  async function askAndBreak(silent: readonly Listened[]): Promise<void> {
    const before = [...clients].map((client) => listen([client]));
    const idle = await backends.findIdle(silent.flatMap(({ processId }) => processId ?? []));
    if (idle === 'silent') await breakAll(before.filter(isStillSilent));
    if (typeof idle === 'string' || idle.length === 0) return;
    await pause(LOOK_AGAIN_AFTER_MS, undefined, { ref: false });
    const stillIdle = await backends.findIdle(idle);
    if (typeof stillIdle === 'string') return;
    const isLost = (listened: Listened) =>
      listened.processId !== null &&
      stillIdle.includes(listened.processId) &&
      lent.has(listened.client) &&
      isWaiting(listened.client) &&
      isStillSilent(listened);
    const lost = silent.filter(isLost);
    if (lost.length === 0) return;
    // Of those that nobody waits for, none can be told from a dead one, and none is missed.
    const unused = before.filter((listened) => isStillSilent(listened) && !lent.has(listened.client));
    await breakAll([...unused, ...lost]);
    await backends.endIdle(lost.flatMap(({ processId }) => processId ?? []));
  }

  async function breakAll(listened: readonly Listened[]): Promise<void> {
    const hung = listened.map(({ client }) => client);
    // First the idle ones: whoever learns that his connection is lost, and borrows another, must not be given
    // one that hangs as well.
    await breakOff(hung.filter((client) => !lent.has(client)));
    await breakOff(hung);
  }
}

interface Heard {
  readonly bytes: number;
  /** When it was last heard of, or not waited for: by the monotonic clock, which nobody sets. */
  readonly since: number;
}

interface Listened {
  readonly client: pg.PoolClient;
  readonly processId: number | null;
  readonly bytes: number;
}

function listen([client]: readonly [pg.PoolClient, ...unknown[]]): Listened {
  return { client, processId: processIdOf(client), bytes: bytesFrom(client) };
}

function isStillSilent({ client, bytes }: Listened): boolean {
  return bytesFrom(client) === bytes;
}

async function breakOff(clients: readonly pg.PoolClient[]): Promise<void> {
  const streams = clients.map(({ connection }) => connection.stream).filter(({ closed }) => !closed);
  const closed = streams.map((stream) => once(stream, 'close'));
  for (const stream of streams) stream.destroy();
  await Promise.all(closed);
}

/** Whether a query is under way, and not just whoever borrowed the connection busy with something else. */
function isWaiting(client: pg.PoolClient): boolean {
  // Not among pg's types either.
  return !('readyForQuery' in client && client.readyForQuery === true);
}

function bytesFrom({ connection: { stream } }: pg.PoolClient): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}
