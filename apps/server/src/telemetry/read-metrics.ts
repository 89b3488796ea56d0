import type { Backlog, PoolUse } from '@handover/adapters-postgres';
import type { Clock } from '@handover/domain';
import type { Metrics } from './metrics.ts';
import { within } from './within.ts';

/** Several scrapers within this time cause one query. */
const CACHED_MS = 5_000;
/** Scrapers give up after ten seconds, so an answer without the database comes well before that. */
const DATABASE_WITHIN_MS = 2_000;

interface Sources {
  readonly clock: Clock;
  readonly pools: () => readonly PoolUse[];
  readonly readBacklog: () => Promise<Backlog>;
  /** Left out: there is no read replica. */
  readonly replicaLagMs?: () => number | null;
}

/** Brings what is read at each scrape up to date. It never rejects, and waits for the database for a bounded time. */
export function createMetricsRefresh(
  metrics: Metrics,
  { clock, pools, readBacklog, replicaLagMs = () => null }: Sources,
): () => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY;
  // A hung database occupies one connection, however many ask.
  let reading: Promise<Backlog> | null = null;
  return async () => {
    metrics.setPools(pools());
    metrics.setReplicaLag(replicaLagMs());
    if (performance.now() - readAt < CACHED_MS) return;
    reading ??= readBacklog().finally(() => {
      reading = null;
    });
    const backlog = await within(DATABASE_WITHIN_MS, reading);
    if (backlog) readAt = performance.now();
    metrics.setBacklog(backlog, clock.now());
  };
}
