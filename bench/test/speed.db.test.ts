import { expect, test } from 'vitest';
import { measureOrders, measureWebhooks } from '../speed/measure-webhooks.ts';
import { inWorld } from '../speed/open-world.ts';

test('webhooks are accepted, whole orders are mailed, and the ceiling accepts the same requests', async () => {
  await inWorld({ shops: 1 }, async (world) => {
    const found = await measureWebhooks(world, 'checkout-a', 'x-checkout-a-signature', 0.1);
    expect(found.accepted.length).toBeGreaterThan(0);
    expect(found.ceiling).toBeGreaterThan(0);
    const { mailed } = await world.mail.waitFor(found.accepted, 60_000);
    expect(mailed).toBe(found.accepted.length);

    const { count, perSecond } = await measureOrders(world, 0.1);
    expect(count).toBeGreaterThan(0);
    expect(perSecond).toBeGreaterThan(0);
    const [rows] = await world.query<{ orders: number }>(
      'select count(distinct order_id)::integer as orders from purchases',
    );
    // A request without an answer in time may still have been recorded.
    expect(rows?.orders).toBeGreaterThanOrEqual(found.accepted.length + count);
  });
});
