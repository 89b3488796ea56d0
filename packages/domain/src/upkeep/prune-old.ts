import type { Clock, Prunable, Upkeep } from '../ports.ts';
import { daysBefore, removeInBatches } from './remove-in-batches.ts';

/** Forgets what is older than so many days, and answers with how much that was. */
export async function pruneOld(
  { clock, upkeep }: { readonly clock: Clock; readonly upkeep: Upkeep },
  what: Prunable,
  keepDays: number,
): Promise<number> {
  const before = daysBefore(clock.now(), keepDays);
  return removeInBatches((limit) => upkeep.prune(what, before, limit));
}
