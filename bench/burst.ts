// Very many orders at once, from shops on all platforms, which resend refused requests:
// npm run bench -- burst [--orders N] [--minutes N]

import { ALL_PLATFORMS, prepareOrders } from './speed/make-orders.ts';
import { warmUp } from './speed/measure-webhooks.ts';
import { printMetric, printNote } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { sendWithRetries } from './speed/send-requests.ts';
import { sharedNow } from './speed/shared-now.ts';

const TARGET_ORDERS = 100_000;
const { orders, minutes } = readOptions({ orders: TARGET_ORDERS, minutes: 60 });
await inWorld({ shops: 4 }, async (world) => {
  const { shops, mail } = world;
  const server = world.server();
  await warmUp(world);
  const requests = prepareOrders(shops, ALL_PLATFORMS, orders);
  await server.forgetPeak();
  const began = sharedNow();
  const { accepted, refused, retries, seconds } = await sendWithRetries(server.url, requests);
  const { mailed, lastAt } = await mail.waitFor(accepted, minutes * 60_000);
  const isMailed = mailed === accepted.length;
  if (orders !== TARGET_ORDERS) printNote(`${orders} orders; the targets are those of ${TARGET_ORDERS}`);
  printMetric('all accepted after', seconds, ' s');
  printMetric('sent again', retries, '');
  printMetric('refused once retried', refused, '', { atMost: 0 });
  printMetric('accepted and not mailed', accepted.length - mailed, '', { atMost: 0 });
  printMetric('all mailed within', isMailed ? (lastAt - began) / 1000 : Number.POSITIVE_INFINITY, ' s', {
    atMost: 120,
  });
  printMetric('memory of the server at its peak', await server.memory('VmHWM'), ' MB', { atMost: 400 });
});
