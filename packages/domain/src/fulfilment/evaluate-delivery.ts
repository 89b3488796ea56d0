import type { DeliveryStatus, LineOutcome } from '../model/delivery.ts';
import type { Order, OrderLine } from '../model/order.ts';
import { hasExpired } from '../model/organisation.ts';
import type { OrderSnapshot } from '../model/plan.ts';
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

/**
 * Why nothing of an order can be sold, whatever its lines say; null when nothing stands in the way. An order that was
 * sold while the subscription lasted stays sold: its missing receipt can be sent.
 */
export function findObstacle(
  order: Order,
  known: Pick<OrderSnapshot, 'subscriptionExpiresAt' | 'ignoreTestOrders'> & {
    readonly isSold: boolean;
    /** By its address, or by what it bought before. */
    readonly hasBuyer: boolean;
  },
  now: Date,
): { readonly status: 'held' | 'error' | 'ignored'; readonly reason: string } | null {
  if (order.test && known.ignoreTestOrders) {
    return { status: 'ignored', reason: 'It is a test order, and this connection ignores those.' };
  }
  if (!known.isSold && hasExpired(known.subscriptionExpiresAt, now)) {
    return { status: 'held', reason: 'The subscription expired. Renewing it delivers this order.' };
  }
  if (!known.hasBuyer) {
    const reason = order.customer.email?.trim()
      ? `No mail can be sent to “${order.customer.email.trim().slice(0, 100)}”.`
      : 'The order came without an e-mail address.';
    return { status: 'error', reason };
  }
  if (order.lines.length === 0)
    return { status: 'error', reason: 'The order has no line that we could read.' };
  return null;
}

/** Why one line was not delivered, and how to fix it. */
export function explainLine(
  line: OrderLine,
  why: 'unmatched' | { readonly held: 'draft' | 'no-live-version'; readonly product: string },
): string {
  const sku = line.candidates[0]?.value;
  if (why === 'unmatched') {
    if (sku) return `No product is known for SKU ${sku}. Map it to a product, or ignore it.`;
    const subject = line.title === null ? 'A line without a name' : `The line “${line.title}”`;
    return `${subject} has no SKU that could name a product.`;
  }
  const remedy = why.held === 'draft' ? 'is still a draft. Publish it' : 'has no live version. Activate one';
  return `${sku ?? line.title ?? 'A line'}: the product “${why.product}” ${remedy}, then deliver again.`;
}

/** Why an entry failed whose products another one delivered. */
export function explainRefusal(): string {
  return 'The mail server refused its receipt. Delivering it again sends the receipt again.';
}

/** What the operator may want to know about an entry besides its status; null when there is nothing. */
export function noteOn(
  order: Order,
  sale: {
    readonly notes: readonly string[];
    readonly delivered: number;
    readonly earlier: number;
    readonly resent: number;
  } = { notes: [], delivered: 0, earlier: 0, resent: 0 },
): string | null {
  const sentences = [
    ...(order.test ? ['Test order.'] : []),
    ...(sale.earlier > 0 && sale.delivered === 0 ? ['Already delivered.'] : []),
    ...(sale.resent > 0 ? ['Its receipt was never sent, so it is sent again.'] : []),
    ...order.notes,
    ...sale.notes,
  ];
  return sentences.join(' ') || null;
}
