import { expect, test } from 'vitest';
import { receiptsAmong, startMailServer } from '../../apps/server/test/support/mail-server.ts';
import { runCli, runCliForJson } from '../../apps/server/test/support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder } from '../../apps/server/test/support/shop.ts';
import { followSignInLink } from '../../bench/sign-in.ts';
import { PLACEMENTS } from '../../packages/adapters-postgres/src/distribution/placements.ts';
import { query } from '../../test/query.ts';
import { setProductStatus } from '../../test/shop-api.ts';
import { expectCommandsWork, install, readReadiness } from '../failover/installation.ts';
import { createCitusDatabase, startNodes } from './nodes.ts';

const ORDERS = 40;
const HELD = 5;

const DISTRIBUTED = Object.values(PLACEMENTS).filter(({ kind }) => kind === 'distributed').length;

test('shops sell, hold, release, search, prune and export on a database that is distributed', async () => {
  const nodes = await startNodes();
  const url = await createCitusDatabase(nodes, 'handover');
  const settings = await makeInstallation(await startMailServer(), url);
  await runCliForJson(settings, ['migrate']);
  const first = await runCli(settings, ['database', 'distribute']);
  console.log(first.stdout);
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringContaining(`${DISTRIBUTED} tables distributed`),
  ]);
  expect(await runCliForJson(settings, ['database', 'distribute'])).toMatchObject({
    toReference: [],
    toDistribute: [],
    foreignKeys: 0,
  });

  const { environment, mailServer, web, worker, shop } = await install(url);
  const again = await runCli(environment, ['database', 'distribute']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('distributed already')]);
  const shops = [
    shop,
    await openShop(environment, web.url, 'owner@umbra.test'),
    await openShop(environment, web.url, 'owner@penumbra.test'),
  ];

  const send = (n: number) =>
    shops.map(({ orgId }) => sendOrder(web.url, orgId, `order-${n}`, { email: `buyer-${n}@example.com` }));
  const sent = await Promise.all(Array.from({ length: ORDERS }, (_, n) => send(n)).flat());
  expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  const mails = await mailServer.waitForMails(ORDERS * shops.length);
  expect(receiptsAmong(mails)).toHaveLength(ORDERS * shops.length);

  await Promise.all(shops.map((one) => setProductStatus(web.url, one.apiKey, one.productId, 'draft')));
  for (let n = ORDERS; n < ORDERS + HELD; n += 1)
    expect((await Promise.all(send(n))).map(({ body }) => body.status)).toEqual(shops.map(() => 'held'));
  for (const { orgId } of shops)
    await runCliForJson(environment, ['product', 'publish', '--org', orgId, '--product', 'felt-piano']);
  const all = await mailServer.waitForMails((ORDERS + HELD) * shops.length);
  for (const one of shops) expect(await listPurchases(web.url, one.apiKey)).toHaveLength(ORDERS + HELD);

  const [link = ''] = /http:\S+\/d\/\S+/.exec(receiptsAmong(all)[0]?.text ?? '') ?? [];
  const file = await fetch(`${link}/files/1.0/felt-piano.zip`);
  expect([file.status, Buffer.from(await file.arrayBuffer()).equals(shop.file)]).toEqual([200, true]);

  const { signInUrl } = await runCliForJson<{ signInUrl: string }>(environment, [
    'sign-in-link',
    '--email',
    'owner@lumen.test',
  ]);
  const cookie = await followSignInLink(web.url, signInUrl);
  for (const path of PAGES) {
    const page = await fetch(`${web.url}${path}`, { headers: { cookie } });
    expect([path, page.status]).toEqual([path, 200]);
    if (path.includes('q=buyer-7')) expect(await page.text()).toContain('buyer-7@example.com');
  }
  for (const path of ['/api/deliveries', '/api/products', '/api/reports/downloads', '/metrics']) {
    const answer = await fetch(`${web.url}${path}`, { headers: { 'x-api-key': shop.apiKey } });
    expect([path, answer.status]).toEqual([path, 200]);
  }
  expect(await readReadiness(web.url)).toMatchObject({ status: 200 });

  const folder = await expectCommandsWork(environment);
  expect(await runCliForJson(environment, ['backup', 'verify', folder])).toMatchObject({ verdict: 'good' });

  // Shards of all three shops are on the workers, and nothing of a tenant on the coordinator.
  const [placed] = await query<{ readonly local: number; readonly nodes: number }>(
    url,
    `select
       (select count(*)::integer from only deliveries) as local,
       (select count(distinct nodename || nodeport)::integer from citus_shards where citus_table_type = 'distributed') as nodes`,
  );
  expect(placed?.nodes).toBe(2);
  expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0]);
  for (const server of [web, worker]) expect(server.printed()).not.toMatch(/"level":"(error|fatal|warn)"/);
});

const PAGES = [
  '/dashboard/overview',
  '/dashboard/webhook-log',
  '/dashboard/webhook-log?q=buyer-7%40example.com',
  '/dashboard/purchases',
  '/dashboard/purchases?q=buyer-7%40example.com',
  '/dashboard/purchases/unmatched',
  '/dashboard/search?q=buyer-7%40example.com',
  '/dashboard/search/results?q=felt',
  '/dashboard/products',
  '/dashboard/downloads',
  '/dashboard/reports',
  '/dashboard/settings/integrations',
  '/dashboard/settings/team',
  '/dashboard/settings/organisation',
  '/dashboard/settings/api-key',
  '/dashboard/settings/security',
  '/dashboard/settings/activity',
];
