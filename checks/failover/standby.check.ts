import { expect, test } from 'vitest';
import { receiptsAmong } from '../../apps/server/test/support/mail-server.ts';
import { listPurchases } from '../../apps/server/test/support/shop.ts';
import { startCluster, startHaproxy } from './cluster.ts';
import { install, readReadiness, sendOrders } from './installation.ts';

const ORDERS = 300;
const EVERY_MS = 50;
const BACK_WITHIN_MS = 10_000;

test('a synchronous standby is promoted while orders arrive: none is lost, and service is back in 10 s', async () => {
  const primary = await startCluster({ wal_level: 'replica', max_wal_senders: '4' });
  const standby = await startCluster({}, primary);
  // From here on a commit is answered when the standby has it on its disk.
  await primary.configure('synchronous_standby_names', 'standby');
  const { url } = await startHaproxy([primary, standby]);
  const { web, shop, mailServer } = await install(url);
  expect(await readReadiness(web.url)).toMatchObject({ status: 200 });

  let failover: Promise<unknown> | null = null;
  let failedAt = 0;
  const { slowestMs, refusals } = await sendOrders(
    { web, shop },
    { count: ORDERS, everyMs: EVERY_MS },
    (n) => {
      if (n !== ORDERS / 3) return;
      failedAt = performance.now();
      // As after a power cut. An operator's tool, such as Patroni, promotes the standby.
      failover = primary.stop('immediate').then(() => standby.promote());
    },
  );
  await failover;
  console.log(`slowest order: ${slowestMs.toFixed(0)} ms; ${refusals.length} refused and sent again`);
  expect(failedAt).toBeGreaterThan(0);
  expect(new Set(refusals)).toEqual(new Set([503]));
  // Each order was sent again until it was accepted, so the slowest one waited for all of the outage.
  expect(slowestMs).toBeLessThan(BACK_WITHIN_MS);
  await expect.poll(() => readReadiness(web.url)).toMatchObject({ status: 200 });

  const mails = await mailServer.waitForMails(ORDERS);
  const buyers = new Set(receiptsAmong(mails).map(({ to }) => to?.[0]?.address));
  expect(buyers.size).toBe(ORDERS);
  const purchases = await listPurchases(web.url, shop.apiKey);
  expect(purchases).toHaveLength(ORDERS);
  expect(new Set(purchases.map(({ orderId }) => orderId)).size).toBe(ORDERS);
});
