import type { DeliveryLine, DeliveryStatus } from '../model/delivery.ts';
import type { Order } from '../model/order.ts';
import type { OrderSnapshot, Plan } from '../model/plan.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeliveryLog, Fulfilment, OrderReader } from '../ports/fulfilment.ts';
import { decideFulfilment } from './decide-fulfilment.ts';
import { joinListedLines } from './decide-lines.ts';

/** `no-order`: the entry has no order, for that reason. */
export type PreviewDeliveryResult =
  | { readonly kind: 'preview'; readonly preview: DeliveryPreview }
  | { readonly kind: 'unknown-delivery' }
  | { readonly kind: 'no-order'; readonly reason: string | null }
  /** Its body was removed, so it cannot be delivered again. */
  | { readonly kind: 'body-removed' };

/** What delivering an entry again would do now. */
export interface DeliveryPreview {
  readonly order: Order;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly lines: readonly PreviewedLine[];
  /** Whether a mail would be sent: a new receipt, or an earlier one that was never sent. */
  readonly mails: boolean;
  /** Whether delivering again would change anything at all. */
  readonly changes: boolean;
}

/** The outcome that a line would have. */
export interface PreviewedLine extends DeliveryLine {
  readonly productName: string | null;
  /** The amount of the line as received; null if it is missing. */
  readonly amount: string | null;
}

interface PreviewPorts {
  readonly clock: Clock;
  readonly deliveries: Pick<DeliveryLog, 'find' | 'show'>;
  readonly orders: OrderReader;
  readonly fulfilment: Pick<Fulfilment, 'loadSnapshot'>;
}

/** Decides an entry as `redeliver` would, and commits nothing. */
export async function previewDelivery(
  { clock, deliveries, orders, fulfilment }: PreviewPorts,
  orgId: string,
  deliveryId: string,
): Promise<PreviewDeliveryResult> {
  const stored = await deliveries.find(orgId, deliveryId);
  if (!stored) return { kind: 'unknown-delivery' };
  if (!stored.body) return { kind: 'body-removed' };
  const order = orders.read(stored);
  if (!order) return { kind: 'no-order', reason: stored.reason };
  const known = await fulfilment.loadSnapshot(order);
  // The positions of the plan's lines are those of the order after joining.
  const decided = joinListedLines(order, known);
  const plan = decideFulfilment(order, known, stored, clock.now(), { next: () => NEVER_STORED });
  const now = await deliveries.show(orgId, deliveryId);
  const { status, reason, lines } = plan.delivery;
  return {
    kind: 'preview',
    preview: {
      order,
      status,
      reason,
      lines: lines.map((line) => describeLine(line, decided, known)),
      mails: plan.receipt !== null || plan.resend.length > 0,
      changes: changesAnything(plan) || now?.status !== status || outcomesOf(now.lines) !== outcomesOf(lines),
    },
  };
}

/** The id of everything in a preview, which is never stored. */
const NEVER_STORED = '00000000-0000-7000-8000-000000000000';

function describeLine(line: DeliveryLine, order: Order, { products }: OrderSnapshot): PreviewedLine {
  const product = products.find(({ id }) => id === line.productId);
  const amount = order.lines[line.position]?.amount ?? null;
  return { ...line, productName: product?.name ?? null, amount };
}

function changesAnything({ purchases, resend }: Plan): boolean {
  return purchases.length > 0 || resend.length > 0;
}

/** A text to compare outcomes, in which `already-delivered` equals `delivered`. */
function outcomesOf(lines: readonly DeliveryLine[]): string {
  return lines.map(({ outcome }) => (outcome === 'already-delivered' ? 'delivered' : outcome)).join(' ');
}
