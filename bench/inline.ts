// How many webhooks are taken whose orders are fulfilled before the answer, and how long shops wait when so many come as
// were announced: npm run bench -- inline [--seconds N] [--offered PER_SECOND]

import { prepareRequests } from './speed/make-orders.ts';
import { measureWebhooks, waitForMails, warmUp } from './speed/measure-webhooks.ts';
import { formatFailures, printMetric, printNote, printRatio } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { percentile, sendOnSchedule } from './speed/send-requests.ts';

const { seconds, offered } = readOptions({ seconds: 10, offered: 300 });
await inWorld({}, async (world) => {
  await warmUp(world);
  const found = await measureWebhooks(world, 'storefront-a', 'x-storefront-a-hmac-sha256', seconds);
  printRatio('inline webhooks', found.perSecond, found.ceiling, '/s', { atLeast: 1 });
  await waitForMails(world.mail, found.accepted);

  const requests = prepareRequests(world.shops, 'storefront-a', offered * seconds);
  const { latencies, failures } = await sendOnSchedule(world.server().url, requests, offered);
  if (failures.size > 0) printNote(`not accepted: ${formatFailures(failures)}`);
  for (const [name, share, target] of [
    ['p50', 0.5, {}],
    ['p99', 0.99, { atMost: 100 }],
    ['p99.9', 0.999, {}],
  ] as const)
    printMetric(`inline at ${offered} offered/s, ${name}`, percentile(latencies, share), ' ms', target);
});
