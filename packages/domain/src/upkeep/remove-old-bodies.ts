import type { Clock, Upkeep } from '../ports.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;
/** What is left over is for the next run. */
const BATCHES_IN_A_RUN = 100;

/**
 * Removes the stored bodies of deliveries that are older than so many days. Entries, lines and keys stay, so no order is
 * ever delivered twice for it. What is pending or held keeps its body: it is owed still, and can't be delivered without.
 */
export async function removeOldBodies(
  ports: { readonly clock: Clock; readonly upkeep: Upkeep },
  keepDays: number,
): Promise<number> {
  const before = new Date(ports.clock.now().getTime() - keepDays * DAY_MS);
  let removed = 0;
  for (let batch = 0; batch < BATCHES_IN_A_RUN; batch += 1) {
    const count = await ports.upkeep.removeBodies(before, BATCH);
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}
