import type { ActivityOrigin } from '../model/activity.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { OpenDeliveries, SeenEntry } from '../ports/fulfilment.ts';

/** The maximum number of entries that one form queues. */
export const MAX_RERUN = 100;

/**
 * Queues the jobs that run at most `MAX_RERUN` failed or held entries of the log again, each with an entry of the activity
 * log. An entry that was decided since it was shown, or already waits for its job, is skipped. Returns how many were queued.
 */
export async function rerunEntries(
  {
    clock,
    ids,
    openDeliveries,
  }: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly openDeliveries: Pick<OpenDeliveries, 'rerunAll'>;
  },
  orgId: string,
  asked: readonly SeenEntry[],
  by: ActivityOrigin,
): Promise<number> {
  const at = clock.now();
  const given = asked
    .slice(0, MAX_RERUN)
    .map((one) => ({ ...one, deliveryId: one.deliveryId.toLowerCase() }));
  const seen = [...new Map(given.map((one) => [one.deliveryId, one])).values()];
  const entries = seen.map(({ deliveryId }) => ({
    id: ids.next(),
    at,
    kind: 'delivery-redelivered' as const,
    subjectId: deliveryId,
    summary: 'The order is processed again, with others.',
    ...by,
  }));
  return (await openDeliveries.rerunAll(orgId, seen, entries)).length;
}
