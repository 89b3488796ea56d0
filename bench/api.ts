// How many authenticated requests for the products are answered, beside a Fastify server without a database that gives the
// same answer: npm run bench -- api [--seconds N]

import { formatRequest } from './speed/make-orders.ts';
import { formatFailures, printNote, printRatio } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { sendAtOnce } from './speed/send-requests.ts';
import { startCeiling } from './speed/start-ceiling.ts';

const WARM_UP_SECONDS = 1;
const { seconds } = readOptions({ seconds: 10 });
await inWorld({ shops: 1 }, async (world) => {
  const path = '/api/products';
  const headers = { authorization: `Bearer ${world.shop.apiKey}` };
  const { url } = world.server();
  const json = await (await fetch(`${url}${path}`, { headers })).json();
  const ceiling = await startCeiling({ databaseUrl: world.databaseUrl, json });
  const most = await measure(ceiling.url);
  await ceiling.close();
  printRatio('GET /api/products', await measure(url), most, '/s', { atLeast: 0.25 });

  async function measure(of: string): Promise<number> {
    const request = formatRequest('GET', path, headers);
    await sendAtOnce(of, repeat(request), WARM_UP_SECONDS);
    const sent = await sendAtOnce(of, repeat(request), seconds);
    if (sent.failures.size > 0) printNote(`not answered: ${formatFailures(sent.failures)}`);
    return sent.accepted / sent.seconds;
  }
});

function* repeat<T>(one: T): Generator<T> {
  for (;;) yield one;
}
