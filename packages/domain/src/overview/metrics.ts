import type { Metrics } from '../ports/overview.ts';
import type { Clock } from '../ports/stores.ts';

/** One UTC day of an organisation. An order counts once, on the day it first came, however often it was sent. */
export interface DayMetrics {
  /** As 2026-03-31. */
  readonly day: string;
  readonly orders: number;
  readonly delivered: number;
  readonly held: number;
  readonly failed: number;
  /** Download sessions that began. */
  readonly downloads: number;
}

/** What came in since midnight, by UTC, and what became of it. An order counts as in {@link DayMetrics}. */
export interface TodayMetrics {
  readonly orders: number;
  /** Orders of the same weekday a week ago, up to the same time of day. */
  readonly ordersAWeekAgo: number;
  readonly delivered: number;
  readonly held: number;
  readonly failed: number;
  readonly downloadsCompleted: number;
  /** Bytes of theirs went out in the last minute. */
  readonly downloadsRunning: number;
  /** From an order to the mail server's acceptance of its receipt, in milliseconds; null before the first. */
  readonly receiptMedianMs: number | null;
  readonly receiptSlowestMs: number | null;
  readonly lastOrderAt: Date | null;
}

/** How today goes, and how the days before went. */
export interface MetricsOverview {
  readonly today: TodayMetrics;
  /** The last thirty days, oldest first, today last; days without anything are there too. */
  readonly days: readonly DayMetrics[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 30;

/** What happened today, and in the last thirty days. */
export async function readMetrics(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
  orgId: string,
): Promise<MetricsOverview> {
  const now = clock.now();
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const first = new Date(midnight.getTime() - (DAYS - 1) * DAY_MS);
  const [today, found] = await Promise.all([
    metrics.ofToday(orgId, { midnight, now }),
    metrics.byDay(orgId, { from: first, until: now }),
  ]);
  const byDay = new Map(found.map((metricsOfDay) => [metricsOfDay.day, metricsOfDay]));
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(first.getTime() + at * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, orders: 0, delivered: 0, held: 0, failed: 0, downloads: 0 };
  });
  return { today, days };
}
