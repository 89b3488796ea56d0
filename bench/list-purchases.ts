// How much memory the server takes to list very many purchases, and how fast it does: npm run bench
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { findEmbeddedPostgres } from '../apps/server/src/embedded-postgres/index.ts';

const COUNT = Number(process.argv[2] ?? 200_000);
const root = fileURLToPath(new URL('..', import.meta.url));
// As `npm start` runs it: without its limits V8 lets garbage grow with the memory of the machine.
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const [, ...words] = scripts.serve.split(' ');
const dataDir = await mkdtemp(join(tmpdir(), 'handover-bench-'));
const server = spawn(process.execPath, words, {
  cwd: root,
  env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
});
try {
  const { url, key } = await readTour();
  await addPurchases();
  console.log(`${COUNT} purchases; the server stands at ${await memory('VmRSS')} MB`);
  const began = performance.now();
  const response = await fetch(`${url}/api/purchases`, { headers: { authorization: `Bearer ${key}` } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  const seconds = (performance.now() - began) / 1000;
  const megabytes = (bytes / 1e6).toFixed(0);
  console.log(
    `listed ${megabytes} MB in ${seconds.toFixed(1)} s; at its peak the server had ${await memory('VmHWM')} MB`,
  );
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  await rm(dataDir, { recursive: true, force: true });
}

async function readTour(): Promise<{ readonly url: string; readonly key: string }> {
  let url = '';
  for await (const line of createInterface(server.stdout)) {
    url = /(http:\/\/localhost:\d+),/.exec(line)?.[1] ?? url;
    const key = /hnd_\w+/.exec(line)?.[0];
    if (key) return { url, key };
  }
  throw new Error('The server did not start.');
}

async function addPurchases(): Promise<void> {
  const client = new pg.Client({
    connectionString: (await findEmbeddedPostgres(join(dataDir, 'postgres'))) ?? '',
  });
  await client.connect();
  await client.query(
    `with shop as (select org_id, id as product_id, active_version_id as version_id from products limit 1),
       buyer as (
         insert into customers (org_id, id, email, email_folded, name, created_at)
         select org_id, gen_random_uuid(), 'a@b.c', 'a@b.c', 'Ana Lima', now() from shop returning id
       ),
       sale as (
         insert into purchases (org_id, id, customer_id, product_id, version_id, amount, currency, payment_method, source, created_at)
         select org_id, gen_random_uuid(), buyer.id, product_id, version_id, 49.00, 'EUR', 'custom', 'api', now() - n * interval '1 second'
         from shop, buyer, generate_series(1, $1::integer) n
         returning org_id, id, created_at
       )
     insert into download_links (org_id, id, purchase_id, created_at, expires_at)
     select org_id, gen_random_uuid(), id, created_at, created_at + interval '48 hours' from sale`,
    [COUNT],
  );
  await client.query('analyze');
  await client.end();
}

/** In megabytes, as the kernel counts them. */
async function memory(what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}
