import pg from 'pg';
import { expect, test } from 'vitest';
import { sendOrder } from '../../apps/server/test/support/shop.ts';
import { startCluster, startPgbouncer } from './cluster.ts';
import { expectCommandsWork, expectEachBought, install } from './installation.ts';

const ORDERS = 120;

test('everything works through pgbouncer in transaction mode', async () => {
  const cluster = await startCluster({});
  const { url } = await startPgbouncer(cluster);
  const installation = await install(url);
  const { environment, web, worker, shop } = installation;

  const sent = await Promise.all(
    Array.from({ length: ORDERS }, (_, n) =>
      sendOrder(web.url, shop.orgId, `order-${n}`, { email: `buyer-${n}@example.com` }),
    ),
  );
  expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  const receipts = await expectEachBought(installation, ORDERS);

  const [link = ''] = /http:\S+\/d\/\S+/.exec(receipts[0]?.text ?? '') ?? [];
  const file = await fetch(`${link}/files/1.0/felt-piano.zip`);
  expect([file.status, Buffer.from(await file.arrayBuffer()).equals(shop.file)]).toEqual([200, true]);
  for (const path of ['/api/deliveries', '/api/products', '/api/reports/downloads', '/readyz']) {
    const response = await fetch(`${web.url}${path}`, { headers: { 'x-api-key': shop.apiKey } });
    expect([path, response.status]).toEqual([path, 200]);
  }
  await expectCommandsWork(environment);

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
