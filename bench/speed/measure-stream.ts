import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { query } from '../../test/query.ts';
import { seedShop } from '../seed-shop.ts';
import { printMetric, printNote, printRatio } from './metrics.ts';
import type { World } from './open-world.ts';

export interface StreamTarget {
  readonly name: string;
  readonly path: string;
  /** What PostgreSQL alone would write of the same rows. */
  readonly copy: string;
  readonly rows: number;
  readonly atLeast: number;
  readonly atMostMegabytes: number;
}

/** Fills the only shop of the world with a year of sales. */
export async function fillShop({ databaseUrl }: World, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  printNote(`filling the shop with ${rows} sales`);
  await seedShop(client, rows);
  await client.end();
}

/** How fast a long answer is written, beside PostgreSQL's own COPY, and how much memory the server needs for it. */
export async function measureStream(world: World, target: StreamTarget): Promise<void> {
  const server = world.server();
  const thousands = (seconds: number) => target.rows / seconds / 1000;
  // From now on its rows are cached, for both.
  await copyOut(world.databaseUrl, target.copy);
  const ceiling = thousands(await copyOut(world.databaseUrl, target.copy));
  await server.forgetPeak();
  const before = await server.memory('VmRSS');
  const rate = thousands(await download(`${server.url}${target.path}`, world.shop.apiKey));
  const peak = await server.memory('VmHWM');
  printRatio(target.name, rate, ceiling, ' k rows/s', { atLeast: target.atLeast });
  printMetric(`${target.name}, memory on top of ${before} MB`, peak - before, ' MB', {
    atMost: target.atMostMegabytes,
  });
}

async function download(url: string, apiKey: string): Promise<number> {
  const began = performance.now();
  const [response] = (await once(
    get(url, { headers: { authorization: `Bearer ${apiKey}` } }),
    'response',
  )) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}.`);
  response.resume();
  await once(response, 'end');
  return (performance.now() - began) / 1000;
}

async function copyOut(databaseUrl: string, select: string): Promise<number> {
  const began = performance.now();
  // Its rows are received and discarded.
  await query(databaseUrl, `copy ${select}`);
  return (performance.now() - began) / 1000;
}
