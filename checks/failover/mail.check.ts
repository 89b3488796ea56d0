import { expect, test } from 'vitest';
import { receiptsAmong } from '../../apps/server/test/support/mail-server.ts';
import { sendOrder } from '../../apps/server/test/support/shop.ts';
import { startCluster } from './cluster.ts';
import { install, readReadiness } from './installation.ts';

const HOUR = 3600;
/** In each of these steps of the day, some orders are delivered, and some are for a SKU that nobody knows. */
const STEPS = 6;
const DELIVERED = 4;
const FAILED = 3;

test('after a day without mail every receipt goes out once, and two mails tell of all orders that failed', async () => {
  // Every process takes the time from the database: its clock makes a day of a minute.
  const cluster = await startCluster({});
  const { web, worker, shop, mailServer } = await install(cluster.url);
  await mailServer.stop();
  await expect
    .poll(() => readReadiness(web.url))
    .toEqual({
      status: 200,
      body: { status: 'ready', database: 'ok', files: 'ok', mail: 'away' },
    });

  const buyers: string[] = [];
  const failed: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    for (let n = 0; n < DELIVERED; n += 1) {
      const email = `buyer-${step}-${n}@example.com`;
      expect((await sendOrder(web.url, shop.orgId, `good-${step}-${n}`, { email })).status).toBe(200);
      buyers.push(email);
    }
    for (let n = 0; n < FAILED; n += 1) {
      const orderId = `failed-${step}-${n}`;
      expect((await sendOrder(web.url, shop.orgId, orderId, { skus: ['nobody-knows'] })).status).toBe(200);
      failed.push(orderId);
    }
    const tried = countTries(worker.printed());
    await cluster.setClock(((step + 1) * 24 * HOUR) / STEPS);
    // Each pending mail is due by now, and tried.
    await expect.poll(() => countTries(worker.printed())).toBeGreaterThanOrEqual(tried + buyers.length);
  }
  expect(mailServer.mails).toEqual([]);

  await mailServer.start();
  // The pause between two tries is an hour by now.
  await cluster.setClock(26 * HOUR);
  await expect.poll(() => receiptsAmong(mailServer.mails).length).toBe(buyers.length);
  const served = receiptsAmong(mailServer.mails).map(({ to }) => to?.[0]?.address);
  expect(served.toSorted()).toEqual(buyers.toSorted());

  // One was pending all day; what failed since is collected in one more, which waits for the first.
  await cluster.setClock(28 * HOUR);
  const alerts = () => mailServer.mails.filter(({ messageId }) => messageId?.startsWith('<alert-'));
  await expect
    .poll(() => failed.filter((orderId) => !alerts().some(({ text }) => text?.includes(orderId))))
    .toEqual([]);
  expect(alerts()).toHaveLength(2);
  await expect.poll(() => readReadiness(web.url)).toMatchObject({ status: 200, body: { mail: 'ok' } });
});

function countTries(log: string): number {
  return log.split('receipt not taken').length - 1;
}
