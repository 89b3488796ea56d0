import { alertOfEntry } from '../model/alert.ts';
import type { DeliveryLine, StoredDelivery } from '../model/delivery.ts';
import type { DecidedDelivery, Plan } from '../model/plan.ts';
import { planWithoutSale } from './decide-fulfilment.ts';

const REMEDY = 'Have the shop send it again, or record the sale yourself.';

/**
 * How long after its receipt an entry waits for a process that can read it. During a rolling upgrade, or after a rollback, a
 * worker of one version can take what a process of another version recorded. Both take hours at most, so a day is enough to
 * bring all processes to one version. After that, people are told, because a buyer waits.
 */
export const MAX_UNREADABLE_MS = 24 * 60 * 60 * 1000;

/** The reason that is shown for an entry that waits for such a process. */
export const UNREADABLE_YET =
  'The process that tried this order cannot read it; it may run another version of Handover. Bring all processes to the ' +
  'same version. It is tried again automatically until a day after it was received.';

/** Whether another process may still read the entry. Without its body, none can. */
export function isWorthAnotherTry({ body, receivedAt }: StoredDelivery, now: Date): boolean {
  return body !== null && now.getTime() - receivedAt.getTime() < MAX_UNREADABLE_MS;
}

/**
 * The plan for an entry whose order cannot be read any more: its body was removed, or no process could read it for a day. It
 * becomes an error with an alert. An entry with purchases keeps its status and gets a note: what was delivered stays delivered,
 * and its receipts complete it.
 */
export function giveUpEntry(delivery: StoredDelivery, lines: readonly DeliveryLine[], decidedAt: Date): Plan {
  const { id, orgId, status, attempts } = delivery;
  const why = delivery.body
    ? 'No order can be read out of the stored request any more.'
    : 'The stored request was removed, so its order cannot be read again.';
  const isSold = lines.some(({ purchaseId }) => purchaseId !== null);
  const entry: DecidedDelivery = isSold
    ? {
        id,
        status,
        heldFor: status === 'held' ? 'products' : null,
        reason: delivery.reason,
        note: `${why} ${REMEDY}`,
        lines,
        decidedAt,
      }
    : {
        id,
        status: 'error',
        heldFor: null,
        reason: `${why} ${REMEDY}`,
        note: null,
        // Held lines can no longer be released. Unmatched lines stay flagged.
        lines: lines.filter(({ outcome }) => outcome !== 'held'),
        decidedAt,
      };
  return planWithoutSale({
    orgId,
    delivery: entry,
    alert: isSold
      ? null
      : alertOfEntry(delivery, 'not-delivered', {
          customerEmail: delivery.normalizedEmail,
          reason: entry.reason,
          at: decidedAt,
        }),
    expectedVersions: {
      catalogueRevision: null,
      bought: null,
      receipts: [],
      attempts,
      ...(isSold && { status }),
    },
  });
}
