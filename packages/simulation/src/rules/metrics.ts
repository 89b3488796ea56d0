import type { DayMetrics, TodayMetrics } from '@handover/domain';
import type { Memory } from '@handover/domain/memory';
import type { World } from '../world/open-world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/**
 * The metrics of the overview equal a count of the rows alone. They are recounted for each organisation with changed
 * rows, and for all from time to time.
 */
export async function checkMetrics(world: World): Promise<void> {
  const { metrics, memory, scheduler } = world;
  const now = new Date(scheduler.now());
  const isLater = now.getTime() - metrics.checkedAt >= MINUTE_MS;
  if (isLater) metrics.checkedAt = now.getTime();
  const changed = world.organisations.takeChanged();
  for (const { orgId } of world.shops) {
    if (!changed.has(orgId) && !isLater) continue;
    const problem = await compare(world, orgId, now);
    if (memory.deliveries.size > 0) world.check(RULE, problem);
  }
}

const RULE = 'the metrics of the overview equal a count from scratch';
const SHOWN_MS = 30 * DAY_MS;

async function compare({ metrics, memory }: World, orgId: string, now: Date): Promise<string | null> {
  const midnight = new Date(now.getTime() - (now.getTime() % DAY_MS));
  const from = new Date(midnight.getTime() - SHOWN_MS);
  const today = await metrics.port.ofToday(orgId, { midnight, now });
  const days = await metrics.port.byDay(orgId, { from, until: now });
  return compareToday(memory, orgId, now, today) ?? compareDays(memory, orgId, { from, now }, days);
}

function compareToday(memory: Memory, orgId: string, now: Date, found: TodayMetrics): string | null {
  const expected = countToday(memory, orgId, now);
  for (const [name, value] of Object.entries(expected)) {
    const shown = found[name as keyof TodayMetrics];
    const isSame = shown instanceof Date && value instanceof Date ? +shown === +value : shown === value;
    if (!isSame) return `${name} of ${orgId} is ${shown}, and counted ${value}`;
  }
  return null;
}

function compareDays(
  memory: Memory,
  orgId: string,
  { from, now }: { readonly from: Date; readonly now: Date },
  days: readonly DayMetrics[],
): string | null {
  const shown = days.reduce((sum, { orders }) => sum + orders, 0);
  const counted = groupOrders(memory, orgId, from.getTime(), now.getTime()).size;
  return shown === counted
    ? null
    : `${shown} orders of ${orgId} since ${from.toISOString()}, and counted ${counted}`;
}

function countToday(memory: Memory, orgId: string, now: Date): Omit<TodayMetrics, 'receiptMedianMs'> {
  const midnight = now.getTime() - (now.getTime() % DAY_MS);
  const metrics = { orders: 0, ordersAWeekAgo: 0, delivered: 0, held: 0, failed: 0 };
  let lastOrderAt = Number.NEGATIVE_INFINITY;
  for (const { statuses, firstAt } of groupOrders(memory, orgId, midnight, now.getTime()).values()) {
    metrics.orders += 1;
    lastOrderAt = Math.max(lastOrderAt, firstAt);
    if (statuses.includes('success')) metrics.delivered += 1;
    else if (statuses.includes('held')) metrics.held += 1;
    else if (statuses.every((status) => status === 'error')) metrics.failed += 1;
  }
  const aWeek = 7 * DAY_MS;
  metrics.ordersAWeekAgo = groupOrders(memory, orgId, midnight - aWeek, now.getTime() - aWeek).size;
  let [downloadsCompleted, downloadsRunning] = [0, 0];
  for (const session of memory.sessions.values()) {
    if (session.orgId !== orgId) continue;
    if (session.completedAt === null) {
      if (now.getTime() - session.lastByteAt.getTime() < MINUTE_MS) downloadsRunning += 1;
    } else if (session.startedAt.getTime() >= midnight) downloadsCompleted += 1;
  }
  let receiptSlowestMs: number | null = null;
  for (const { orgId: of, kind, sentAt, createdAt } of memory.emails.values()) {
    if (of !== orgId || kind !== 'receipt' || sentAt === null || sentAt.getTime() < midnight) continue;
    receiptSlowestMs = Math.max(receiptSlowestMs ?? -Infinity, sentAt.getTime() - createdAt.getTime());
  }
  return {
    ...metrics,
    downloadsCompleted,
    downloadsRunning,
    receiptSlowestMs,
    lastOrderAt: metrics.orders === 0 ? null : new Date(lastOrderAt),
  };
}

/** Orders that arrived in the period, with the statuses of their entries of the period. */
function groupOrders({ deliveries }: Memory, orgId: string, from: number, until: number) {
  const orders = new Map<string, { readonly statuses: string[]; firstAt: number }>();
  for (const entry of deliveries.values()) {
    const at = entry.receivedAt.getTime();
    if (entry.orgId !== orgId || entry.orderId === null || entry.status === 'ignored') continue;
    if (at < from || at > until) continue;
    const name = `${entry.connectionId} ${entry.orderId}`;
    const order = orders.get(name) ?? { statuses: [], firstAt: at };
    order.statuses.push(entry.status);
    order.firstAt = Math.min(order.firstAt, at);
    orders.set(name, order);
  }
  return orders;
}
