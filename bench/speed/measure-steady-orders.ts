import { setTimeout as pause } from 'node:timers/promises';
import type { Shop } from '../../checks/chaos/shop.ts';
import { ALL_PLATFORMS, makeOrders, signEach } from './make-orders.ts';
import { percentile, type SentOnSchedule, sendOnSchedule } from './send-requests.ts';
import { sharedNow } from './shared-now.ts';
import type { MailSink } from './start-mail-sink.ts';

export interface SteadyOrders {
  readonly count: number;
  readonly failures: SentOnSchedule['failures'];
  /** In milliseconds, from when an order was due. */
  readonly acceptedP99: number;
  readonly acceptedLast: number;
  /** Until the mail server accepted its mail. Infinite: it was not mailed within the limit. */
  readonly deliveredLast: number;
}

const DELIVERED_WITHIN_MS = 300_000;

/** Orders of all platforms at a steady rate, and how long each takes. */
export async function measureSteadyOrders({
  url,
  shops,
  mail,
  perSecond,
  seconds,
}: {
  readonly url: string;
  readonly shops: readonly Pick<Shop, 'orgId'>[];
  readonly mail: MailSink;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<SteadyOrders> {
  const orders = [...makeOrders(shops, ALL_PLATFORMS, Math.ceil(perSecond * seconds))];
  const dueAt: number[] = [];
  const { failures, latencies } = await sendOnSchedule(url, signEach(orders), perSecond, () => {
    dueAt.push(sharedNow());
    return true;
  });
  const until = performance.now() + DELIVERED_WITHIN_MS;
  const isMailed = () => orders.every(({ email }) => mail.mailedAt.has(email));
  while (!isMailed() && performance.now() < until) await pause(50);
  const delivered = orders.map(
    ({ email }, at) => (mail.mailedAt.get(email) ?? Number.POSITIVE_INFINITY) - (dueAt[at] ?? 0),
  );
  return {
    count: orders.length,
    failures,
    acceptedP99: percentile(latencies, 0.99),
    acceptedLast: percentile(latencies, 1),
    deliveredLast: Math.max(...delivered),
  };
}
