import type { DayMetrics, TodayMetrics } from '../model/metrics.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/overview.ts';

/** The metrics of today and of the last thirty days. */
export interface MetricsOverview {
  readonly today: TodayMetrics;
  /** The last thirty days including today, oldest first; also days on which nothing happened. */
  readonly days: readonly DayMetrics[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 30;

/** Reads the metrics of an organisation for today and the last thirty days, in UTC. */
export async function readMetrics(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Pick<Metrics, 'byDay' | 'ofToday'> },
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
