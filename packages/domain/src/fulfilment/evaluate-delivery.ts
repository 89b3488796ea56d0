import type { DeliveryStatus, LineOutcome } from '../model/delivery.ts';
import type { Order, OrderLine } from '../model/order.ts';
import { hasExpired } from '../model/organisation.ts';
import type { OrderSnapshot } from '../model/plan.ts';
import type { ReceiptStatus } from '../model/receipt.ts';

/** The facts that decide the status of an entry. */
interface DeliveryFacts {
  readonly outcomes: readonly LineOutcome[];
  /** The statuses of the receipts of its delivered lines after this decision. */
  readonly receipts: readonly ReceiptStatus[];
}

/**
 * The status of an entry. `held`: a line is held. `ignored`: every line is ignored. `error`: no line is delivered, or a
 * receipt is refused. `success`: every receipt is sent. `pending`: a receipt is not sent yet.
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
 * Why an order cannot be sold as a whole, independent of its lines; null if it can. An order that was sold before the
 * subscription expired stays sold, so that its receipt can be sent again.
 */
export function findObstacle(
  order: Order,
  known: Pick<OrderSnapshot, 'subscriptionExpiresAt' | 'ignoreTestOrders'> & {
    readonly isSold: boolean;
    /** Whether its buyer is known, by its address or by earlier purchases. */
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

/** Why a line was not delivered, and how to fix it. */
export function explainLine(
  line: OrderLine,
  why: 'unmatched' | { readonly held: 'draft' | 'no-live-version'; readonly product: string },
): string {
  const [best] = line.candidates;
  const sku = best?.value;
  if (why === 'unmatched') {
    if (best?.kind === 'vendor-id')
      return `No product is known for the platform's id ${sku}. Map it for that platform, or ignore it there.`;
    if (sku) return `No product is known for SKU ${sku}. Map it to a product, or ignore it.`;
    const subject = line.title === null ? 'A line without a name' : `The line “${line.title}”`;
    return `${subject} has no SKU that could name a product.`;
  }
  const remedy = why.held === 'draft' ? 'is still a draft. Publish it' : 'has no live version. Activate one';
  return `${sku ?? line.title ?? 'A line'}: the product “${why.product}” ${remedy}, then deliver again.`;
}

/** The reason of an entry that delivered its products but whose receipt was refused. */
export function explainRefusal(): string {
  return 'The mail server refused its receipt. Delivering it again sends the receipt again.';
}

/** The note of a decision: further information for the operator; null if there is none. */
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
