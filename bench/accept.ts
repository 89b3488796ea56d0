// Measures how many webhooks per second are accepted whose orders are fulfilled after the response:
// npm run bench -- accept [--seconds N]
// Each is on disk when it is answered. The ceiling is a server that checks the HMAC and does one INSERT per request. The same
// server without the INSERT says how much more any server with one event loop could accept.

import { measureWebhooks, warmUp } from './speed/measure-webhooks.ts';
import { printRatio } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';

const { seconds } = readOptions({ seconds: 10 });
await inWorld({}, async (world) => {
  await warmUp(world);
  const found = await measureWebhooks(world, 'checkout-a', 'x-checkout-a-signature', seconds);
  printRatio('a server that only checks the HMAC', found.withoutDatabase, found.ceiling, '/s');
  printRatio('deferred webhooks', found.perSecond, found.ceiling, '/s', { atLeast: 2 });
});
