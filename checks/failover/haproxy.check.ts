import { expect, test } from 'vitest';
import { receiptsAmong } from '../../apps/server/test/support/mail-server.ts';
import { listPurchases } from '../../apps/server/test/support/shop.ts';
import { startCluster, startHaproxy } from './cluster.ts';
import { install, readReadiness, sendOrders } from './installation.ts';

const ORDERS = 200;
const EVERY_MS = 50;
const BACK_WITHIN_MS = 10_000;

test('HAProxy follows the primary in a planned change while orders arrive: none is lost, and service is back in 10 s', async () => {
  const primary = await startCluster({ wal_level: 'replica', max_wal_senders: '4' });
  const standby = await startCluster({}, primary);
  await primary.configure('synchronous_standby_names', 'standby');
  const { url } = await startHaproxy([primary, standby]);
  const { web, shop, mailServer } = await install(url);

  let change: Promise<unknown> | null = null;
  const { slowestMs, refusals } = await sendOrders(
    { web, shop },
    { count: ORDERS, everyMs: EVERY_MS },
    (n) => {
      if (n !== ORDERS / 4) return;
      // As an operator does: all that is committed is on the standby before the primary ends.
      change = primary.stop('fast').then(() => standby.promote());
    },
  );
  await change;
  console.log(`slowest order: ${slowestMs.toFixed(0)} ms; ${refusals.length} refused and sent again`);
  expect(refusals.filter((status) => status !== 503)).toEqual([]);
  expect(slowestMs).toBeLessThan(BACK_WITHIN_MS);
  await expect.poll(() => readReadiness(web.url)).toMatchObject({ status: 200 });

  const mails = await mailServer.waitForMails(ORDERS);
  expect(new Set(receiptsAmong(mails).map(({ to }) => to?.[0]?.address)).size).toBe(ORDERS);
  const purchases = await listPurchases(web.url, shop.apiKey);
  expect(new Set(purchases.map(({ orderId }) => orderId)).size).toBe(ORDERS);
  expect(purchases).toHaveLength(ORDERS);
});
