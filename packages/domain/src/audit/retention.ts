import type { Clock } from '../ports/clock.ts';
import type { Maintenance, Prunable } from '../ports/fulfilment.ts';

/** Deletes what is older than `keepDays`, and returns the number of deleted rows. */
export async function pruneOld(
  { clock, maintenance }: { readonly clock: Clock; readonly maintenance: Maintenance },
  what: Prunable,
  keepDays: number,
): Promise<number> {
  const before = daysBefore(clock.now(), keepDays);
  return removeInBatches((limit) => maintenance.prune(what, before, limit));
}

/**
 * Deletes the bodies of deliveries that are older than `keepDays`, except those that `rotateBodies` drops by the week, and
 * returns their number. Entries, lines and keys stay, so that no order is delivered twice because of it. A pending or held
 * entry keeps its body, because it cannot be delivered without it.
 */
export async function removeOldBodies(
  { clock, maintenance }: { readonly clock: Clock; readonly maintenance: Maintenance },
  keepDays: number,
): Promise<number> {
  const before = daysBefore(clock.now(), keepDays);
  return removeInBatches((limit) => maintenance.removeBodies(before, limit));
}

const BATCH = 500;
/** The next run deletes the rest. */
const BATCHES_IN_A_RUN = 100;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Calls `remove` until a batch is not full, and returns the sum. */
async function removeInBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES_IN_A_RUN; batch += 1) {
    const count = await remove(BATCH);
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
