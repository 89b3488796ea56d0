// One shop publishes a product with very many held orders. Meanwhile another shop sells as usual:
// npm run bench -- fairness [--orders N] [--seconds N] [--per-second N]
import { setTimeout as pause } from 'node:timers/promises';
import { holdOrders } from './speed/hold-orders.ts';
import { measureSteadyOrders } from './speed/measure-steady-orders.ts';
import { warmUp } from './speed/measure-webhooks.ts';
import { formatFailures, printMetric, printNote } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';

const TARGET_ORDERS = 100_000;
const PUBLISHED_AFTER_MS = 1_000;
const options = readOptions({ orders: TARGET_ORDERS, seconds: 60, 'per-second': 20 });
await inWorld({}, async (world) => {
  const { mail, shops } = world;
  const [large, other] = shops;
  if (!large || !other) throw new Error('There must be two shops.');
  await warmUp(world);
  const publish = await holdOrders(world, large, options.orders);
  const { orders, seconds } = options;
  if (orders !== TARGET_ORDERS) printNote(`${orders} held orders; the targets are those of ${TARGET_ORDERS}`);
  mail.forget();
  const publishing = pause(PUBLISHED_AFTER_MS).then(async () => {
    const began = performance.now();
    await publish().catch((error) => printNote(`publishing failed: ${error.message}`));
    return performance.now() - began;
  });
  const perSecond = options['per-second'];
  const steady = await measureSteadyOrders({
    url: world.server().url,
    shops: [other],
    mail,
    perSecond,
    seconds,
  });
  const released = mail.mailedAt.size - steady.count;
  printMetric(`publishing with ${orders} held orders answers after`, await publishing, ' ms');
  printMetric('held orders mailed by then', released, '');
  const name = `other shop, ${perSecond} orders/s`;
  printNote(`${name}, not accepted: ${formatFailures(steady.failures)}`);
  printMetric(`${name}, accepted, p99`, steady.acceptedP99, ' ms', { atMost: 250 });
  printMetric(`${name}, delivered at the latest after`, steady.deliveredLast / 1000, ' s', { atMost: 5 });
});
