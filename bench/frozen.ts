// Two servers on one database, one of which freezes before its commit. How long do the orders of the other server
// wait?
// npm run bench -- frozen [--rounds N] [--seconds N] [--per-second N]

import { freezeInTransaction, listConnectionNames } from './speed/freeze-in-transaction.ts';
import { ALL_PLATFORMS, prepareOrders, signEach } from './speed/make-orders.ts';
import { measureSteadyOrders } from './speed/measure-steady-orders.ts';
import { warmUp } from './speed/measure-webhooks.ts';
import { formatFailures, printMetric, printNote } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { sendOnSchedule } from './speed/send-requests.ts';

const { rounds, seconds, ...options } = readOptions({ rounds: 3, seconds: 15, 'per-second': 20 });
const perSecond = options['per-second'];

await inWorld({}, async (world) => {
  const frozen = world.server();
  const names = await listConnectionNames(world);
  const other = await world.addServer();
  await warmUp(world);
  let [acceptedLast, deliveredLast] = [0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    // It has work until it freezes.
    let isFrozen = false;
    const requests = signEach(prepareOrders(world.shops, ALL_PLATFORMS, perSecond * 60));
    const before = sendOnSchedule(frozen.url, requests, perSecond, () => !isFrozen);
    const held = await freezeInTransaction(world, frozen, names);
    isFrozen = true;
    printNote(
      held.length > 0
        ? `frozen after: ${held.map((statement) => statement.slice(0, 80)).join('; ')}`
        : 'frozen outside of a transaction: it was never found in one',
    );
    const { shops, mail } = world;
    const found = await measureSteadyOrders({ url: other.url, shops, mail, perSecond, seconds });
    frozen.thaw();
    await before;
    printNote(`not accepted: ${formatFailures(found.failures)}`);
    acceptedLast = Math.max(acceptedLast, found.acceptedLast);
    deliveredLast = Math.max(deliveredLast, found.deliveredLast);
  }
  printMetric('orders of others, accepted at the latest after', acceptedLast / 1000, ' s', { atMost: 5 });
  printMetric('orders of others, delivered at the latest after', deliveredLast / 1000, ' s', { atMost: 5 });
});
