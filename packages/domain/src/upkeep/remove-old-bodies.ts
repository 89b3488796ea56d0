import type { Clock, Upkeep } from '../ports.ts';
import { daysBefore, removeInBatches } from './remove-in-batches.ts';

/**
 * Removes the stored bodies of deliveries that are older than so many days, but for those that go by the week
 * (`rotateBodies`). Entries, lines and keys stay, so no order is ever delivered twice for it. What is pending or held keeps
 * its body: it is owed still, and can't be delivered without.
 */
export async function removeOldBodies(
  { clock, upkeep }: { readonly clock: Clock; readonly upkeep: Upkeep },
  keepDays: number,
): Promise<number> {
  const before = daysBefore(clock.now(), keepDays);
  return removeInBatches((limit) => upkeep.removeBodies(before, limit));
}
