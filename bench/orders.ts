// Whole orders, from the first request to the last mail that the mail server accepted, and what one of them costs the
// database: npm run bench -- orders [--seconds N] [--counted N]
import { countWorkPerOrder } from './speed/count-database-work.ts';
import { measureOrders, warmUp } from './speed/measure-webhooks.ts';
import { printMetric } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';

const { seconds, counted } = readOptions({ seconds: 10, counted: 300 });
await inWorld({}, async (world) => {
  await warmUp(world);
  const { count, perSecond } = await measureOrders(world, seconds);
  printMetric(`whole orders, of ${count}`, perSecond, '/s', { atLeast: 1000 });
  const work = await countWorkPerOrder(world, counted);
  printMetric('statements for one order', work.statements, '');
  printMetric('transactions for one order', work.transactions, '');
  printMetric('flushes of the WAL for one order', work.flushes, '');
  printMetric('WAL for one order', work.walBytes / 1000, ' kB');
});
