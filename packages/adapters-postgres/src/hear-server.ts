import { Socket } from 'node:net';
import type pg from 'pg';

/** Tells, when called, how to find out later whether the server has said anything meanwhile on any of the pool's connections. */
export function hearServer(pool: pg.Pool): () => () => boolean {
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return () => {
    const before = new Map([...clients].map((client) => [client, bytesFrom(client)]));
    return () => [...clients].some((client) => bytesFrom(client) > (before.get(client) ?? 0));
  };
}

/** How many bytes the server has sent over this connection. */
export function bytesFrom({ connection: { stream } }: pg.PoolClient): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}
