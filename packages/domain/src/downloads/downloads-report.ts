import type { DownloadMetrics } from '../model/metrics.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/overview.ts';
import { type InvalidPeriod, type ReportPeriod, readReportPeriod } from './report-period.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 366;

/** The downloads of a period. */
export interface DownloadsReport extends DownloadMetrics {
  readonly kind: 'report';
  readonly period: ReportPeriod;
}

/** Reads the downloads of every day of a period of at most 366 days: see {@link readReportPeriod}. */
export async function readDownloadsReport(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Pick<Metrics, 'ofDownloads'> },
  orgId: string,
  days: { readonly from: string | null; readonly to: string | null },
): Promise<DownloadsReport | InvalidPeriod> {
  const period = readReportPeriod(days, clock.now());
  if (period.kind === 'invalid') return period;
  const { from, until } = period;
  const length = Math.round((until.getTime() - from.getTime()) / DAY_MS);
  if (length > MAX_DAYS) {
    const problem = `must leave at most ${MAX_DAYS} days up to the last`;
    return { kind: 'invalid', field: 'from', reason: 'too-long', problem };
  }
  const found = await metrics.ofDownloads(orgId, period);
  const byDay = new Map(found.days.map((metricsOfDay) => [metricsOfDay.day, metricsOfDay]));
  const all = Array.from({ length }, (_, at) => {
    const day = new Date(from.getTime() + at * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, downloads: 0, finished: 0, bytes: 0 };
  });
  return { kind: 'report', period, days: all, total: found.total };
}
