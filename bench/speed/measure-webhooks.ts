import { secretOf } from '../../checks/chaos/shop.ts';
import type { KnownPlatform } from '../../packages/domain/src/index.ts';
import { printCpuTime, readCpuTime } from './cpu-time.ts';
import { ALL_PLATFORMS, prepareOrders, signEach } from './make-orders.ts';
import { formatFailures, printNote } from './metrics.ts';
import type { World } from './open-world.ts';
import { type Sent, sendAtOnce, sendWithRetries } from './send-requests.ts';
import { sharedNow } from './shared-now.ts';
import { startCeiling } from './start-ceiling.ts';

/** More than any server here answers. */
const MAX_PER_SECOND = 8_000;
const WARM_UP_ORDERS = 240;
const MAIL_TIMEOUT_MS = 600_000;

/** Until compilers, caches, connections and statistics (which PostgreSQL updates once a minute) are warm. */
export async function warmUp({ shops, mail, server, query }: World): Promise<void> {
  const { accepted } = await sendWithRetries(
    server().url,
    prepareOrders(shops, ALL_PLATFORMS, WARM_UP_ORDERS),
  );
  await waitForMails(mail, accepted);
  await query('analyze');
}

/** @returns when the last one was accepted by the mail server. */
export async function waitForMails(mail: World['mail'], buyers: readonly string[]): Promise<number> {
  const { mailed, lastAt } = await mail.waitFor(buyers, MAIL_TIMEOUT_MS);
  if (mailed === buyers.length) return lastAt;
  throw new Error(`Only ${mailed} of ${buyers.length} orders were mailed within ${MAIL_TIMEOUT_MS} ms.`);
}

export interface WebhooksMeasured {
  /** The buyers whose orders were accepted. */
  readonly accepted: readonly string[];
  readonly perSecond: number;
  /** Of a server that checks the HMAC and does one INSERT, with the same bytes sent in the same way. */
  readonly ceiling: number;
  /** The same without the INSERT: what the HTTP library and the HMAC alone allow. */
  readonly withoutDatabase: number;
}

/**
 * Measures how many webhooks of one platform are accepted per second. `header`: the header with the HMAC of the body.
 */
export async function measureWebhooks(
  world: World,
  platform: KnownPlatform,
  header: string,
  seconds: number,
): Promise<WebhooksMeasured> {
  const orders = prepareOrders(world.shops, [platform], Math.ceil(seconds * MAX_PER_SECOND));
  const minimum = { databaseUrl: world.databaseUrl, header, secret: secretOf(platform) };
  const sendTo = async (inserts: boolean): Promise<number> => {
    const server = await startCeiling({ ...minimum, inserts });
    try {
      await sendAtOnce(server.url, signEach(orders), Math.min(1, seconds));
      return rateOf(await sendAtOnce(server.url, signEach(orders), seconds));
    } finally {
      await server.close();
    }
  };
  const ceiling = await sendTo(true);
  const withoutDatabase = await sendTo(false);
  await world.query('drop table bench_ceiling');
  const accepted: string[] = [];
  const before = await readCpuTime(world);
  const sent = await sendAtOnce(world.server().url, signEach(orders), seconds, (at) =>
    accepted.push(orders[at]?.email ?? ''),
  );
  await printCpuTime(
    world,
    before,
    accepted.length,
    `webhooks of ${platform}, and what was done of their orders`,
  );
  return { accepted, perSecond: rateOf(sent), ceiling, withoutDatabase };
}

export interface OrdersMeasured {
  readonly count: number;
  readonly perSecond: number;
}

/** Whole orders of all platforms: from the first request to the last mail that the mail server accepted. */
export async function measureOrders(world: World, seconds: number): Promise<OrdersMeasured> {
  const { shops, mail, server } = world;
  const requests = prepareOrders(shops, ALL_PLATFORMS, Math.ceil(seconds * MAX_PER_SECOND));
  const before = await readCpuTime(world);
  const began = sharedNow();
  const { accepted, refused, retries } = await sendWithRetries(server().url, requests, seconds);
  if (refused + retries > 0) printNote(`refused: ${refused}, sent again: ${retries}`);
  const last = await waitForMails(mail, accepted);
  await printCpuTime(world, before, accepted.length, 'whole orders');
  return { count: accepted.length, perSecond: (accepted.length * 1000) / (last - began) };
}

function rateOf({ accepted, failures, seconds }: Sent): number {
  if (failures.size > 0) printNote(`not accepted: ${formatFailures(failures)}`);
  return accepted / seconds;
}
