import pg from 'pg';
import { expect, test } from 'vitest';
import { receiptsAmong } from '../../apps/server/test/support/mail-server.ts';
import { runCli } from '../../apps/server/test/support/server-process.ts';
import { listPurchases, sendOrder } from '../../apps/server/test/support/shop.ts';
import { makeTemporaryDirectory } from '../../test/temporary-directory.ts';
import { startCluster, startPgbouncer } from './cluster.ts';
import { install } from './installation.ts';

const ORDERS = 120;

test('everything works through pgbouncer in transaction mode', async () => {
  const cluster = await startCluster({});
  const { url } = await startPgbouncer(cluster);
  const { environment, mailServer, web, worker, shop } = await install(url);

  const sent = await Promise.all(
    Array.from({ length: ORDERS }, (_, n) =>
      sendOrder(web.url, shop.orgId, `order-${n}`, { email: `buyer-${n}@example.com` }),
    ),
  );
  expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  const receipts = receiptsAmong(await mailServer.waitForMails(ORDERS));
  expect(new Set(receipts.map(({ to }) => to?.[0]?.address)).size).toBe(ORDERS);
  expect(await listPurchases(web.url, shop.apiKey)).toHaveLength(ORDERS);

  const [link = ''] = /http:\S+\/d\/\S+/.exec(receipts[0]?.text ?? '') ?? [];
  const file = await fetch(`${link}/files/1.0/felt-piano.zip`);
  expect([file.status, Buffer.from(await file.arrayBuffer()).equals(shop.file)]).toEqual([200, true]);
  for (const path of ['/api/deliveries', '/api/products', '/api/reports/downloads', '/readyz']) {
    const response = await fetch(`${web.url}${path}`, { headers: { 'x-api-key': shop.apiKey } });
    expect([path, response.status]).toEqual([path, 200]);
  }
  const directory = await makeTemporaryDirectory();
  for (const words of [
    ['export', `${directory}/copy`],
    ['org', 'list'],
    ['secret', 'status'],
    ['unassigned', 'list'],
  ])
    expect([words, await runCli(environment, words)]).toEqual([words, expect.objectContaining({ code: 0 })]);

  // Nothing that a session was told may reach the next client of it.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let n = 0; n < 20; n += 1) {
    const { rows } = await client.query(
      "select current_setting('statement_timeout') as statement, current_setting('enable_seqscan') as seqscan",
    );
    expect(rows).toEqual([{ statement: '0', seqscan: 'on' }]);
  }
  await client.end();

  expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0]);
  for (const server of [web, worker]) expect(server.printed()).not.toMatch(/"level":"(error|fatal|warn)"/);
});
