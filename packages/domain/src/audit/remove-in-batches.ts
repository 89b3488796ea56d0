const BATCH = 500;
/** What is left over is for the next run. */
const BATCHES_IN_A_RUN = 100;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Calls `remove` until a batch is not full. Answers with what all of them removed. */
export async function removeInBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES_IN_A_RUN; batch += 1) {
    const count = await remove(BATCH);
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
