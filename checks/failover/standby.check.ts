import { expect, test } from 'vitest';
import { startReplicated } from './cluster.ts';
import { expectEachBought, install, readReadiness, sendOrders } from './installation.ts';

const ORDERS = 300;
const EVERY_MS = 50;
const BACK_WITHIN_MS = 10_000;

test('a synchronous standby is promoted while orders arrive: none is lost, and service is back in 10 s', async () => {
  const { primary, standby, url } = await startReplicated();
  const installation = await install(url);
  const { web } = installation;
  expect(await readReadiness(web.url)).toMatchObject({ status: 200 });

  let failover: Promise<unknown> | null = null;
  let failedAt = 0;
  const { slowestMs, refusals } = await sendOrders(
    installation,
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
  await expectEachBought(installation, ORDERS);
});
