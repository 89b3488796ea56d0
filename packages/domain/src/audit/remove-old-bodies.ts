import type { Clock } from '../ports/clock.ts';
import type { Maintenance } from '../ports/fulfilment.ts';
import { daysBefore, removeInBatches } from './remove-in-batches.ts';

/**
 * Removes the stored bodies of deliveries that are older than so many days, but for those that go by the week
 * (`rotateBodies`). Entries, lines and keys stay, so no order is ever delivered twice for it. What is pending or held keeps
 * its body: it is pending still, and can't be delivered without.
 */
export async function removeOldBodies(
  { clock, maintenance }: { readonly clock: Clock; readonly maintenance: Maintenance },
  keepDays: number,
): Promise<number> {
  const before = daysBefore(clock.now(), keepDays);
  return removeInBatches((limit) => maintenance.removeBodies(before, limit));
}
