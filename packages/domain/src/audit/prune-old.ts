import type { Clock } from '../ports/clock.ts';
import type { Maintenance, Prunable } from '../ports/fulfilment.ts';
import { daysBefore, removeInBatches } from './remove-in-batches.ts';

/** Forgets what is older than so many days, and answers with how much that was. */
export async function pruneOld(
  { clock, maintenance }: { readonly clock: Clock; readonly maintenance: Maintenance },
  what: Prunable,
  keepDays: number,
): Promise<number> {
  const before = daysBefore(clock.now(), keepDays);
  return removeInBatches((limit) => maintenance.prune(what, before, limit));
}
