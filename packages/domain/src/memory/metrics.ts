import type { DayMetrics, DownloadCounts, TodayMetrics } from '../model/metrics.ts';
import type { Metrics } from '../ports/overview.ts';
import { type Memory, rowsWhere } from './memory.ts';
import type { SessionRow } from './rows.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

export function createInMemoryMetrics(memory: Memory): Metrics {
  return {
    byDay: async (orgId, { from, until }) => {
      const orders = listOrders(memory, orgId, from, until);
      const begun = listSessions(memory, orgId).filter(
        ({ startedAt }) => startedAt >= from && startedAt <= until,
      );
      const days = new Set([
        ...orders.map(({ cameAt }) => dayOf(cameAt)),
        ...begun.map(({ startedAt }) => dayOf(startedAt)),
      ]);
      return [...days].sort().map(
        (day): DayMetrics => ({
          day,
          ...countOrders(orders.filter(({ cameAt }) => dayOf(cameAt) === day)),
          downloads: begun.filter(({ startedAt }) => dayOf(startedAt) === day).length,
        }),
      );
    },
    ofToday: async (orgId, { midnight, now }) => countToday(memory, orgId, midnight, now),
    ofDownloads: async (orgId, { from, until }) => {
      const begun = listSessions(memory, orgId).filter(
        ({ startedAt }) => startedAt >= from && startedAt < until,
      );
      const days = [...new Set(begun.map(({ startedAt }) => dayOf(startedAt)))].sort();
      const buyers = begun.map(({ linkId }) => {
        const link = memory.links.get(linkId);
        return link?.customerId ?? memory.purchases.get(link?.purchaseId ?? '')?.customerId;
      });
      return {
        days: days.map((day) => ({
          day,
          ...countDownloads(begun.filter(({ startedAt }) => dayOf(startedAt) === day)),
        })),
        total: { ...countDownloads(begun), buyers: new Set(buyers).size },
      };
    },
  };
}

function countToday(memory: Memory, orgId: string, midnight: Date, now: Date): TodayMetrics {
  const orders = listOrders(memory, orgId, midnight, now);
  const sessions = listSessions(memory, orgId);
  const ofTests = new Set([...memory.testPurchases.keys()].map((id) => memory.purchases.get(id)?.receiptId));
  const aWeekBefore = (date: Date) => new Date(date.getTime() - WEEK_MS);
  const pauses = [...memory.emails.values()]
    .filter(({ id, orgId: of, kind }) => of === orgId && kind === 'receipt' && !ofTests.has(id))
    .flatMap(({ sentAt, createdAt }) =>
      sentAt && sentAt >= midnight ? [sentAt.getTime() - createdAt.getTime()] : [],
    )
    .sort((a, b) => a - b);
  return {
    ...countOrders(orders),
    ordersAWeekAgo: listOrders(memory, orgId, aWeekBefore(midnight), aWeekBefore(now)).length,
    downloadsCompleted: sessions.filter(
      ({ startedAt, completedAt }) => startedAt >= midnight && completedAt !== null,
    ).length,
    downloadsRunning: sessions.filter(
      ({ lastByteAt, completedAt }) =>
        completedAt === null && now.getTime() - lastByteAt.getTime() < MINUTE_MS,
    ).length,
    receiptMedianMs: median(pauses),
    receiptSlowestMs: pauses.at(-1) ?? null,
    lastOrderAt: orders.map(({ cameAt }) => cameAt).sort((a, b) => b.getTime() - a.getTime())[0] ?? null,
  };
}

function countDownloads(begun: readonly SessionRow[]): DownloadCounts {
  return {
    downloads: begun.length,
    finished: begun.filter(({ completedAt }) => completedAt !== null).length,
    bytes: begun.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The sessions of an organisation, without those of test orders. */
function listSessions({ sessions, links, testPurchases }: Memory, orgId: string): readonly SessionRow[] {
  return rowsWhere(sessions, { orgId }).filter(
    (session) => !testPurchases.has(links.get(session.linkId)?.purchaseId ?? ''),
  );
}

interface OrderMetrics {
  readonly cameAt: Date;
  readonly statuses: ReadonlySet<string>;
}

function listOrders(memory: Memory, orgId: string, from: Date, until: Date): readonly OrderMetrics[] {
  const byOrder = new Map<string, { cameAt: Date; statuses: Set<string> }>();
  for (const delivery of memory.deliveries.values()) {
    const { receivedAt, status, orderId, connectionId } = delivery;
    if (delivery.orgId !== orgId || orderId === null || status === 'ignored' || delivery.isTest) continue;
    if (receivedAt < from || receivedAt > until) continue;
    const key = `${connectionId} ${orderId}`;
    const order = byOrder.get(key) ?? { cameAt: receivedAt, statuses: new Set() };
    if (receivedAt < order.cameAt) order.cameAt = receivedAt;
    order.statuses.add(status);
    byOrder.set(key, order);
  }
  return [...byOrder.values()];
}

function countOrders(orders: readonly OrderMetrics[]) {
  const count = (is: (statuses: ReadonlySet<string>) => boolean) =>
    orders.filter(({ statuses }) => is(statuses)).length;
  return {
    orders: orders.length,
    delivered: count((statuses) => statuses.has('success')),
    held: count((statuses) => statuses.has('held') && !statuses.has('success')),
    failed: count((statuses) => statuses.size === 1 && statuses.has('error')),
  };
}

function median(sorted: readonly number[]): number | null {
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  const [low = 0, high = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return Math.round((low + high) / 2);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
