import type { ActivityOrigin } from '../model/activity.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { OpenDeliveries, SeenEntry } from '../ports/fulfilment.ts';

/** Few enough for one form and one transaction. */
export const MAX_RERUN = 100;

/**
 * Queues the jobs that process failed or held entries of the log again, each with its entry in the activity log. An entry
 * that was decided since it was shown, or waits for its job, is skipped, so pressing twice has no further effect. Returns
 * how many were queued.
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
