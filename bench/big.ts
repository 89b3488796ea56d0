// Whether accepting and fulfilling stay as fast when the tables are full:
// npm run bench -- big [--seconds N] [--purchases N] [--shops N]

import { measureOrders, measureWebhooks, waitForMails, warmUp } from './speed/measure-webhooks.ts';
import { printNote, printRatio } from './speed/metrics.ts';
import { inWorld, type World } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { seedWithoutIndexes } from './speed/seed-without-indexes.ts';

const { seconds, purchases, shops } = readOptions({ seconds: 10, purchases: 10_000_000, shops: 1000 });
await inWorld({}, async (world) => {
  const empty = await measureAll(world);
  printNote(`filling ${shops} shops with ${purchases} purchases`);
  await seedWithoutIndexes(world.superuserUrl, world, shops, purchases);
  const full = await measureAll(world);
  for (const name of ['accept', 'inline', 'orders'] as const)
    printRatio(`${name}, full beside empty`, full[name], empty[name], '/s', { atLeast: 0.9 });
});

async function measureAll(world: World) {
  await warmUp(world);
  const accept = await measureWebhooks(world, 'checkout-a', 'x-checkout-a-signature', seconds);
  await waitForMails(world.mail, accept.accepted);
  const inline = await measureWebhooks(world, 'storefront-a', 'x-storefront-a-hmac-sha256', seconds);
  await waitForMails(world.mail, inline.accepted);
  const orders = await measureOrders(world, seconds);
  return { accept: accept.perSecond, inline: inline.perSecond, orders: orders.perSecond };
}
