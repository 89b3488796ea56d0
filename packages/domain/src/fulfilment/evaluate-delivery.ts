import type { DeliveryStatus, LineOutcome } from '../model/delivery.ts';
import type { ReceiptStatus } from '../model/receipt.ts';

/** What the status of an entry rests on, once its lines are decided. */
interface DeliveryFacts {
  readonly outcomes: readonly LineOutcome[];
  /** Where the receipts of its delivered lines stand after this decision. `refused`: and it is left at that. */
  readonly receipts: readonly ReceiptStatus[];
}

/**
 * The status of an entry: held while any line is held; else an error if nothing was or had been delivered (ignored,
 * if nothing in it was ours), or if a receipt was refused for good; else a success once the mail server has every
 * receipt.
 */
export function evaluateDelivery({ outcomes, receipts }: DeliveryFacts): DeliveryStatus {
  if (outcomes.includes('held')) return 'held';
  if (!outcomes.some((outcome) => outcome === 'delivered' || outcome === 'already-delivered')) {
    return outcomes.length > 0 && outcomes.every((outcome) => outcome === 'not-ours') ? 'ignored' : 'error';
  }
  if (receipts.includes('refused')) return 'error';
  return receipts.every((status) => status === 'sent') ? 'success' : 'pending';
}
