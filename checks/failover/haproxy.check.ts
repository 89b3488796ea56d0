import { expect, test } from 'vitest';
import { startReplicated } from './cluster.ts';
import { expectEachBought, install, readReadiness, sendOrders } from './installation.ts';

const ORDERS = 200;
const EVERY_MS = 50;
const BACK_WITHIN_MS = 10_000;

test('HAProxy follows the primary in a planned change while orders arrive: none is lost, and service is back in 10 s', async () => {
  const { primary, standby, url } = await startReplicated();
  const installation = await install(url);
  const { web } = installation;

  let change: Promise<unknown> | null = null;
  const { slowestMs, refusals } = await sendOrders(
    installation,
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
  await expectEachBought(installation, ORDERS);
});
