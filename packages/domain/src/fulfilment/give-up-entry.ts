import { type Alert, aboutDelivery, aboutOrder } from '../alerts/alert.ts';
import type { DeliveryLine, StoredDelivery } from './delivery.ts';
import type { DecidedDelivery, Plan } from './plan.ts';

const REMEDY = 'Have the shop send it again, or record the sale yourself.';

/**
 * The plan for an entry whose order cannot be read out of its stored request: the body was removed, or it does not read as
 * that order any more. No later run could do better, so it becomes an error, and people are told. Where purchases rest on
 * the entry, it stays as it is, with a note: what was delivered stays delivered, and its receipts settle it.
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
  return {
    orgId,
    delivery: entry,
    customer: null,
    receipt: null,
    purchases: [],
    links: [],
    soldAs: [],
    resend: [],
    activity: [],
    settles: null,
    alert: isSold ? null : alertOf(delivery, entry),
    jobs: [],
    restsOn: {
      catalogueRevision: null,
      bought: null,
      receipts: [],
      attempts,
      ...(isSold && { status }),
    },
  };
}

function alertOf(delivery: StoredDelivery, { reason, decidedAt }: DecidedDelivery): Alert {
  const { id, orgId, platform, connectionId, orderId, orderNumber, emailFolded } = delivery;
  return {
    orgId,
    cause: 'not-delivered',
    about: orderId === null ? aboutDelivery(id) : aboutOrder({ connectionId, orderId }),
    subjectId: id,
    details: {
      deliveryId: id,
      platform,
      orderNumber,
      customerEmail: emailFolded,
      reason: reason ?? '',
      at: decidedAt,
    },
  };
}
