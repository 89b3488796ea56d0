import { AUTOMATIC } from '../model/activity.ts';
import type { DeliveryLine, DeliveryStatus, TraceContext } from '../model/delivery.ts';
import { readEmail } from '../model/email-address.ts';
import { mailReceipt } from '../model/job.ts';
import type { Order } from '../model/order.ts';
import type { DecidedDelivery, KnownPurchase, OrderSnapshot, Plan } from '../model/plan.ts';
import { OUR_PLATFORMS, type Platforms } from '../model/platform.ts';
import type { Purchase } from '../model/purchase.ts';
import type { Receipt, ReceiptStatus } from '../model/receipt.ts';
import type { Ids } from '../ports/clock.ts';
import { alertOfFailure } from './alert-of-failure.ts';
import {
  classifyLines,
  describeLine,
  describeLines,
  groupByProduct,
  joinListedLines,
  listNewNames,
} from './decide-lines.ts';
import { evaluateDelivery, explainRefusal, findObstacle, noteOn } from './evaluate-delivery.ts';
import { findCustomer, type LinePrices, makeSale, priceLines } from './make-sale.ts';

/** The entry of the log that is decided, as it was read. */
export interface DeliveryToDecide {
  readonly id: string;
  readonly attempts: number;
  /** Whether it is decided only because another entry of its order was delivered: then no receipt is sent again. */
  readonly isResolving?: boolean;
  readonly traceContext?: TraceContext | null;
}

/**
 * Decides everything about an order from a snapshot. It is pure except for new ids: it reads and writes nothing, and nothing
 * happens until the plan is committed.
 */
export function decideFulfilment(
  received: Order,
  known: OrderSnapshot,
  delivery: DeliveryToDecide,
  now: Date,
  ids: Ids,
  platforms: Pick<Platforms, 'vendorOf'> = OUR_PLATFORMS,
): Plan {
  const order = joinListedLines(received, known);
  const email = readEmail(order.customer.email);
  const classified = classifyLines(order, known);
  const isSold = classified.length > 0 && classified.every(({ as }) => as.kind === 'bought');
  const hasBuyer = email !== null || isSold || findCustomer(known, email) !== null;
  const obstacle = findObstacle(order, { ...known, isSold, hasBuyer }, now);
  if (obstacle) return withoutSale(order, known, delivery, now, obstacle);

  const prices = priceLines(order, known.defaultCurrency);
  const sale = makeSale(order, known, { wanted: groupByProduct(classified), email, prices }, now, ids);
  const { receipt = null, customer = null, purchases = [], links = [] } = sale ?? {};
  const lines = describeLines(order, known, classified, purchases);
  const earlier = collectEarlierReceipts(lines, known);
  const resend = delivery.isResolving ? [] : earlier.filter(isOverdue);
  const decided = describeEntry(
    order,
    delivery.id,
    { lines, receipt, purchases, earlier, resend, prices },
    now,
  );
  return {
    orgId: order.orgId,
    delivery: decided,
    customer,
    receipt,
    purchases,
    links,
    purchaseAliases: listNewNames(order, lines, known),
    resend: resend.map(({ id }) => id),
    activity: receipt ? [makeActivity(order, { receipt, purchases, platforms }, ids, now)] : [],
    alert: alertOfFailure(order, known, decided),
    resolves: receipt ? { connectionId: order.connectionId, orderId: order.orderId } : null,
    jobs: [...(receipt ? [receipt] : []), ...resend].map(({ id }) => mailReceipt(order.orgId, id, now)),
    expectedVersions: {
      catalogueRevision: known.catalogueRevision,
      bought: nameBought(order, known),
      receipts: earlier.map((former) => ({ id: former.id, status: former.status })),
      attempts: delivery.attempts,
    },
  };
}

/** The new state of the entry: its lines, and its status by the receipts of all that they delivered. */
function describeEntry(
  order: Order,
  id: string,
  {
    lines,
    receipt,
    purchases,
    earlier,
    resend,
    prices,
  }: {
    readonly lines: readonly DeliveryLine[];
    readonly receipt: Receipt | null;
    readonly purchases: readonly Purchase[];
    readonly earlier: readonly EarlierReceipt[];
    readonly resend: readonly EarlierReceipt[];
    readonly prices: LinePrices;
  },
  now: Date,
): DecidedDelivery {
  const status = evaluateDelivery({
    outcomes: lines.map(({ outcome }) => outcome),
    receipts: [
      ...(receipt ? (['pending'] as const) : []),
      ...earlier.map((former) => (resend.includes(former) ? 'pending' : former.status)),
    ],
  });
  const counts = { delivered: purchases.length, earlier: earlier.length, resent: resend.length };
  return {
    id,
    status,
    heldFor: status === 'held' ? 'products' : null,
    reason: explainStatus(status, lines, earlier),
    note: noteOn(order, { notes: prices.notes, ...counts }),
    lines,
    decidedAt: now,
  };
}

function explainStatus(
  status: DeliveryStatus,
  lines: readonly DeliveryLine[],
  receipts: readonly { readonly status: ReceiptStatus }[],
): string | null {
  // Unmatched lines of an order that was delivered in part have reasons of their own.
  if (status === 'pending' || status === 'success') return null;
  if (status === 'error' && receipts.some((receipt) => receipt.status === 'refused')) return explainRefusal();
  if (status === 'ignored') return 'Every SKU of this order is ignored.';
  const reasons = [...new Set(lines.flatMap(({ reason }) => (reason ? [reason] : [])))];
  const more = reasons.length - 3;
  if (more <= 0) return reasons.join(' ') || null;
  return `${reasons.slice(0, 3).join(' ')} And ${more} more ${more === 1 ? 'line' : 'lines'} like these.`;
}

/** The receipt of a purchase that an earlier run made. */
type EarlierReceipt = NonNullable<KnownPurchase['receipt']>;

function collectEarlierReceipts(lines: readonly DeliveryLine[], { purchases }: OrderSnapshot) {
  const named = new Set(lines.map(({ purchaseId }) => purchaseId));
  const byId = new Map<string, EarlierReceipt>();
  for (const { id, receipt } of purchases) if (receipt && named.has(id)) byId.set(receipt.id, receipt);
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether the receipt is sent again. A pending receipt without a failed try is about to be sent. */
function isOverdue({ status, attempts }: EarlierReceipt): boolean {
  return status === 'refused' || (status === 'pending' && attempts > 0);
}

function makeActivity(
  order: Order,
  {
    receipt,
    purchases,
    platforms,
  }: {
    readonly receipt: Receipt;
    readonly purchases: readonly Purchase[];
    readonly platforms: Pick<Platforms, 'vendorOf'>;
  },
  ids: Ids,
  now: Date,
) {
  const count = purchases.length;
  const products = count === 1 ? '1 product' : `${count} products`;
  const summary = `${platforms.vendorOf(order.platform)} order ${order.orderNumber}: ${products} delivered.`;
  return {
    id: ids.next(),
    at: now,
    kind: 'order-delivered',
    subjectId: receipt.id,
    summary,
    ...AUTOMATIC,
  } as const;
}

function nameBought(
  { connectionId, orderId }: Order,
  { purchases }: OrderSnapshot,
): Plan['expectedVersions']['bought'] {
  return { connectionId, orderId, purchaseIds: purchases.map(({ id }) => id) };
}

/** The plan of an order that an obstacle prevents as a whole. */
function withoutSale(
  order: Order,
  known: OrderSnapshot,
  delivery: DeliveryToDecide,
  now: Date,
  { status, reason }: NonNullable<ReturnType<typeof findObstacle>>,
): Plan {
  const isHeld = status === 'held';
  const entry: DecidedDelivery = {
    id: delivery.id,
    status,
    heldFor: isHeld ? 'subscription' : null,
    reason,
    note: noteOn(order),
    lines: isHeld ? order.lines.map((line, at) => describeLine(line, at, 'held')) : [],
    decidedAt: now,
  };
  return planWithoutSale({
    orgId: order.orgId,
    delivery: entry,
    alert: alertOfFailure(order, known, entry),
    expectedVersions: {
      catalogueRevision: known.catalogueRevision,
      bought: nameBought(order, known),
      receipts: [],
      attempts: delivery.attempts,
    },
  });
}

/** The parts of a plan without a sale. */
type Outcome = Pick<Plan, 'orgId' | 'delivery' | 'alert' | 'expectedVersions'>;

/** A plan that only changes an entry of the log, and may raise an alert. */
export function planWithoutSale({ orgId, delivery, alert, expectedVersions }: Outcome): Plan {
  return {
    orgId,
    delivery,
    customer: null,
    receipt: null,
    purchases: [],
    links: [],
    purchaseAliases: [],
    resend: [],
    activity: [],
    resolves: null,
    alert,
    jobs: [],
    expectedVersions,
  };
}
