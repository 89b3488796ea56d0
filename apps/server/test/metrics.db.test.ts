import { createJobQueue, openDatabases, readBacklog } from '@handover/adapters-postgres';
import pino from 'pino';
import { expect, it } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { spawnServer, startServer } from './support/server-process.ts';
import { makeDatabase, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

async function scrape(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

it('is scraped from web and worker processes, each with its own counters, also while the database is down', async () => {
  const mailServer = await startMailServer();
  const databaseUrl = await makeDatabase();
  const environment = await makeInstallation(mailServer, databaseUrl);
  const web = await startServer({ ...environment, ROLE: 'web' });
  const worker = spawnServer({ ...environment, ROLE: 'worker', METRICS_PORT: '0' });
  const line = await worker.waitForLine(/metrics at http/);
  const [workerUrl = ''] = /http:[^" ]+/.exec(line) ?? [];
  const { orgId } = await openShop(environment, web.url);
  await sendOrder(web.url, orgId, '5001');
  await sendOrder(web.url, orgId, '5002', { secret: 'a-secret-of-somebody-else' });
  await mailServer.waitForMails(1);

  const ofWeb = await scrape(`${web.url}/metrics`);
  expect(ofWeb).toContain('handover_database_up{role="web"} 1');
  expect(ofWeb).toContain(
    'handover_deliveries_total{platform="storefront-a",outcome="pending",role="web"} 1',
  );
  expect(ofWeb).toContain('handover_refused_signatures_total{platform="storefront-a",role="web"} 1');
  expect(ofWeb).toContain('handover_pool_connections{purpose="accepting"');
  expect(ofWeb).toContain('nodejs_eventloop_lag_p99_seconds{role="web"}');
  const ofWorker = await until(async () => {
    const text = await scrape(workerUrl);
    return text.includes('handover_receipt_delay_seconds_count{role="worker"} 1') && text;
  });
  expect(ofWorker).toContain('handover_mail_answers_total{class="2xx",role="worker"} 1');
  expect(ofWorker).not.toContain(orgId);
  expect(ofWorker).not.toContain('ana@example.com');

  const admin = await openDatabase(databaseUrl.replace(/\/[^/]+$/, '/postgres'));
  const name = new URL(databaseUrl).pathname.slice(1);
  await admin.query(`alter database "${name}" with allow_connections false`);
  const end = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
  const down = await until(async () => {
    await admin.query(end, [name]);
    const text = await scrape(workerUrl);
    return text.includes('handover_database_up{role="worker"} 0') && text;
  });
  expect(down).toContain('process_resident_memory_bytes');
  expect((await scrape(`${web.url}/metrics`)).includes('process_resident_memory_bytes')).toBe(true);
  await admin.query(`alter database "${name}" with allow_connections true`);
});

it('reads the oldest undecided delivery and pending e-mail, and counts jobs by kind and state', async () => {
  const url = await makeDatabase();
  const log = pino({ level: 'silent' });
  const databases = openDatabases({ url, log });
  undoLater(() => databases.close());
  const jobs = createJobQueue({ url, log });
  undoLater(() => jobs.stop());
  const { db } = databases.pages;
  expect(await readBacklog(db)).toEqual({ oldestUndecided: null, oldestPendingEmail: null, jobs: [] });

  const client = await openDatabase(url);
  const id = (at: string) => `0198c000-0000-7000-8000-00000000000${at}`;
  await client.query(`
    insert into organisations (id, name, email, created_at) values ('${id('0')}', 'o', 'o@o.test', now());
    insert into connections (org_id, id, platform, name, created_at)
      values ('${id('0')}', '${id('0')}', 'storefront-a', 'main', now());
    insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status) values
      ('${id('0')}', '${id('1')}', 'storefront-a', '${id('0')}', '${id('0')}', '2026-01-01T00:00:00Z', 'held'),
      ('${id('0')}', '${id('2')}', 'storefront-a', '${id('0')}', '${id('0')}', '2026-01-02T00:00:00Z', 'pending'),
      ('${id('0')}', '${id('3')}', 'storefront-a', '${id('0')}', '${id('0')}', '2026-01-03T00:00:00Z', 'pending');
    insert into outgoing_emails (org_id, id, kind, pending_since, next_try_at, created_at) values
      ('${id('0')}', '${id('4')}', 'links', '2026-01-06T00:00:00Z', now(), now()),
      ('${id('0')}', '${id('5')}', 'links', '2026-01-05T00:00:00Z', now(), now());
    insert into jobs (kind, subject, org_id, lane, attempts, due_at, lease_until) values
      ('fulfil-delivery', '${id('1')}', '${id('0')}', 'reruns', 1, '2026-01-01', null),
      ('fulfil-delivery', '${id('2')}', '${id('0')}', 'orders', 0, '2026-01-02', now() + interval '1 hour'),
      ('fulfil-delivery', '${id('3')}', '${id('0')}', 'orders', 0, '2026-01-03', null),
      ('send-email', '${id('4')}', '${id('0')}', 'mails', 0, now() + interval '1 hour', null),
      ('send-email', '${id('5')}', '${id('0')}', 'mails', 0, '2026-01-05', null);
  `);
  const backlog = await readBacklog(db);
  expect(backlog.oldestUndecided).toEqual(new Date('2026-01-02T00:00:00Z'));
  expect(backlog.oldestPendingEmail).toEqual(new Date('2026-01-05T00:00:00Z'));
  expect([...backlog.jobs].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
    { kind: 'fulfil-delivery', state: 'due', count: 2 },
    { kind: 'fulfil-delivery', state: 'running', count: 1 },
    { kind: 'send-email', state: 'due', count: 1 },
    { kind: 'send-email', state: 'waiting', count: 1 },
  ]);
  expect(databases.pools().map(({ purpose, max }) => [purpose, max])).toEqual([
    ['accepting', 4],
    ['deciding', 8],
    ['pages', 6],
    ['leases', 2],
  ]);
  expect(jobs.pool()).toMatchObject({ purpose: 'queue', used: 0, waiting: 0, max: 4 });
});
