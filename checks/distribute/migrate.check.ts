import pg from 'pg';
import { expect, test } from 'vitest';
import { startMailServer } from '../../apps/server/test/support/mail-server.ts';
import { runCliForJson } from '../../apps/server/test/support/server-process.ts';
import { listPurchases, makeInstallation, sendOrder } from '../../apps/server/test/support/shop.ts';
import { distributeTables } from '../../packages/adapters-postgres/src/distribution/distribute-database.ts';
import { PLACEMENTS } from '../../packages/adapters-postgres/src/distribution/placements.ts';
import { migrate } from '../../packages/adapters-postgres/src/index.ts';
import { query } from '../../test/query.ts';
import { undoLater } from '../../test/undo.ts';
import { install } from '../failover/installation.ts';
import { migrateSamples } from '../upgrade/migrate-samples.ts';
import { createCitusDatabase, startNodes } from './nodes.ts';

/** The later ones bring columns, concurrent indexes, validated constraints, a tenant's table and global ones. */
const FORMER = '0006-many-api-keys';
const ORDERS = 20;

const DISTRIBUTED = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name]?.kind === 'distributed');

test('handover migrate brings a database that is distributed to this version, and its new tables to their nodes', async () => {
  const url = await createCitusDatabase(await startNodes(), 'former');
  await migrate(url, { until: FORMER });
  await distributeTables(url);
  await query(
    url,
    `insert into organisations (id, name, email, created_at)
     select gen_random_uuid(), 'Shop ' || n, 'shop-' || n || '@example.com', now() from generate_series(1, 20) n`,
  );
  await query(url, 'insert into catalogues (org_id) select id from organisations');
  // As a server of the former version, which goes on.
  const server = new pg.Client({
    connectionString: url,
    application_name: 'handover 01234567 89abcdef',
  });
  await server.connect();
  undoLater(() => server.end());

  const settings = await makeInstallation(await startMailServer(), url);
  const former = await query<{ readonly name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const isFormer = new Set(former.map(({ name }) => name));
  const { distributed } = await runCliForJson<{ distributed: readonly string[] }>(settings, ['migrate']);
  expect(distributed.toSorted()).toEqual(DISTRIBUTED.filter((name) => !isFormer.has(name)).toSorted());
  expect(distributed).toContain('bulk_actions');
  expect(await runCliForJson(settings, ['migrate'])).toMatchObject({ applied: [], distributed: [] });
  const again = await runCliForJson(settings, ['database', 'distribute']);
  expect(again).toMatchObject({ toReference: [], toDistribute: [], foreignKeys: 0 });
  const [rows] = await query<{ readonly count: number }>(
    url,
    'select count(*)::integer as count from catalogues',
  );
  expect(rows?.count).toBe(20);

  const { environment, mailServer, web, worker, shop } = await install(url);
  for (let n = 0; n < ORDERS; n += 1) {
    const sent = await sendOrder(web.url, shop.orgId, `order-${n}`, { email: `buyer-${n}@example.com` });
    expect(sent.status).toBe(200);
  }
  await mailServer.waitForMails(ORDERS);
  // What later releases may bring, of each kind, beside servers that run.
  const said: string[] = [];
  await migrateSamples(url, (text) => said.push(text));
  console.log(said.join('\n'));
  const [filled] = await query<{ readonly count: number }>(
    url,
    'select count(*)::integer as count from purchases where upgrade_check = source',
  );
  expect(filled?.count).toBe(ORDERS);
  const late = await sendOrder(web.url, shop.orgId, 'late', { email: 'late@example.com' });
  expect(late.status).toBe(200);
  await mailServer.waitForMails(ORDERS + 1);
  expect(await listPurchases(web.url, shop.apiKey)).toHaveLength(ORDERS + 1);
  expect(await runCliForJson(environment, ['org', 'list'])).toMatchObject({
    organisations: { length: 21 },
  });
  expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0]);
});
