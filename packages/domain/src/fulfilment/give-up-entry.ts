import { alertOfEntry } from '../model/alert.ts';
import type { DeliveryLine, StoredDelivery } from '../model/delivery.ts';
import type { DecidedDelivery, Plan } from '../model/plan.ts';
import { planWithoutSale } from './decide-fulfilment.ts';

const REMEDY = 'Have the shop send it again, or record the sale yourself.';

/**
 * How long after it was received an entry waits for a process that can read it. During a rolling upgrade, or after a
 * rollback, a worker of one version takes what a process of another one recorded. Both are over within hours, and the
 * order is as old as the upgrade at most: a day gives time to notice, and to bring all processes to one version. After
 * that nobody will read it, and the buyer must not wait any longer in silence.
 */
export const MAX_UNREADABLE_MS = 24 * 60 * 60 * 1000;

/** What people read at an entry that waits for such a process. */
export const UNREADABLE_YET =
  'The process that tried this order cannot read it; it may run another version of Handover. Bring all processes to the ' +
  'same version. It is tried again automatically until a day after it was received.';

/** Whether another process may still read what this one cannot. Nothing can ever read a request that was removed. */
export function isWorthAnotherTry({ body, receivedAt }: StoredDelivery, now: Date): boolean {
  return body !== null && now.getTime() - receivedAt.getTime() < MAX_UNREADABLE_MS;
}

/**
 * The plan for an entry whose order cannot be read out of its stored request, and is not waited for any longer: the body
 * was removed, or it did not read as that order for a day. It becomes an error, and people are told. Where purchases rest
 * on the entry, it stays as it is, with a note: what was delivered stays delivered, and its receipts complete it.
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
        // Nothing of it can be released for a product any more; a SKU that is unknown stays flagged.
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
