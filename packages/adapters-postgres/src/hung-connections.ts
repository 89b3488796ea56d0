import { once } from 'node:events';
import { Socket } from 'node:net';
import type pg from 'pg';

const LOOK_EVERY_MS = 1_000;
const SILENT_FOR_MS = 2_000;

/**
 * A network that parts without a word leaves connections open with nobody at the other end, and what was
 * sent into the void is given up by the kernel after a quarter of an hour: so long a query would hang, and
 * keep its place in the pool, though the database was back after seconds.
 *
 * So when a connection that is lent out has been silent for a while, we ask whether anyone is there, over a
 * new one. If not, every connection that stayed silent meanwhile is broken off: its query fails as those of
 * lost connections do, and the pool makes a new one. A database that is merely slow does answer, and nothing
 * happens to it.
 */
export function breakHungConnections(pool: pg.Pool, isThere: () => Promise<boolean>): void {
  const clients = new Set<pg.PoolClient>();
  const lent = new Map<pg.PoolClient, { readonly bytes: number; readonly since: number }>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('acquire', (client) => lent.set(client, { bytes: bytesFrom(client), since: Date.now() }));
  pool.on('release', (_error, client) => lent.delete(client));
  pool.on('remove', (client) => clients.delete(client));
  let asking = false;

  const timer = setInterval(() => {
    if (pool.ended) clearInterval(timer);
    const now = Date.now();
    for (const [client, { bytes }] of lent) {
      if (bytesFrom(client) !== bytes) lent.set(client, { bytes: bytesFrom(client), since: now });
    }
    const isSilent = [...lent.values()].some(({ since }) => now - since >= SILENT_FOR_MS);
    if (!isSilent || asking) return;
    asking = true;
    askAndBreak().finally(() => {
      asking = false;
    });
  }, LOOK_EVERY_MS);
  timer.unref();

  async function askAndBreak(): Promise<void> {
    const before = [...clients].map((client) => ({ client, bytes: bytesFrom(client) }));
    if (await isThere()) return;
    const hung = before
      .filter(({ client, bytes }) => bytesFrom(client) === bytes)
      .map(({ client }) => client);
    // First the idle ones: whoever learns that his connection is lost, and borrows another, must not be given
    // one that hangs as well.
    await breakOff(hung.filter((client) => !lent.has(client)));
    await breakOff(hung);
  }
}

async function breakOff(clients: readonly pg.PoolClient[]): Promise<void> {
  const streams = clients.map(({ connection }) => connection.stream).filter(({ closed }) => !closed);
  const closed = streams.map((stream) => once(stream, 'close'));
  for (const stream of streams) stream.destroy();
  await Promise.all(closed);
}

function bytesFrom({ connection: { stream } }: pg.PoolClient): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}
