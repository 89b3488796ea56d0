import { AUTOMATIC } from '../model/activity.ts';
import type { DeliveryLine, DeliveryStatus, LineOutcome, TraceContext } from '../model/delivery.ts';
import { readEmail } from '../model/email-address.ts';
import type { Job } from '../model/job.ts';
import type { Order, OrderLine } from '../model/order.ts';
import type { DecidedDelivery, KnownProduct, KnownPurchase, OrderSnapshot, Plan } from '../model/plan.ts';
import { vendorOf } from '../model/platform.ts';
import { checkDeliverability } from '../model/product.ts';
import type { Purchase } from '../model/purchase.ts';
import type { Receipt, ReceiptStatus } from '../model/receipt.ts';
import type { Ids } from '../ports/clock.ts';
import { alertOfFailure } from './alert-of-failure.ts';
import { evaluateDelivery, explainLine, explainRefusal, findObstacle, noteOn } from './evaluate-delivery.ts';
import { type LinePrices, makeSale, priceLines, type WantedProduct } from './make-sale.ts';
import { joinListedLines, listNewNames, matchLine, purchasesByAlias } from './match-line.ts';
import { planWithoutSale } from './plan-without-sale.ts';

/** The entry of the log that is being decided, as it was read. */
export interface DeliveryToDecide {
  readonly id: string;
  readonly attempts: number;
  /** It is only resolved by what its order's other entries delivered: no receipt is sent again for it. */
  readonly isResolving?: boolean;
  readonly traceContext?: TraceContext | null;
}

/**
 * Decides what an order becomes, from what is known: the one place where all of it is decided. It reads and
 * writes nothing: but for new ids, the same arguments give the same plan. Nothing happens until the plan is committed.
 */
export function decideFulfilment(
  received: Order,
  known: OrderSnapshot,
  delivery: DeliveryToDecide,
  now: Date,
  ids: Ids,
): Plan {
  const order = joinListedLines(received, known);
  const email = readEmail(order.customer.email);
  const matched = order.lines.map((line) => ({ line, outcome: classifyLine(line, order, known) }));
  const outcomes = matched.map(({ outcome }) => outcome);
  const isSold = outcomes.length > 0 && outcomes.every(({ kind }) => kind === 'bought');
  const obstacle = findObstacle(order, email, { ...known, isSold }, now);
  if (obstacle) return withoutSale(order, known, delivery, now, obstacle);

  const prices = priceLines(order, known.defaultCurrency);
  const sale = makeSale(order, known, { wanted: groupByProduct(outcomes), email, prices }, now, ids);
  const { receipt = null, customer = null, purchases = [], links = [] } = sale ?? {};
  const resolved = matched.map(({ line, outcome }, at) => resolveLine(line, at, outcome, purchases));
  const lines = [...resolved, ...listFormerLines(order, resolved, known)];
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
    purchaseAliases: listNewNames(order, resolved, known),
    resend: resend.map(({ id }) => id),
    activity: receipt ? [makeActivity(order, receipt, purchases.length, ids, now)] : [],
    alert: alertOfFailure(order, known, decided),
    resolves: receipt ? { connectionId: order.connectionId, orderId: order.orderId } : null,
    jobs: [...(receipt ? [receipt] : []), ...resend].map(({ id }) => mailJob(order.orgId, id, now)),
    expectedVersions: {
      catalogueRevision: known.catalogueRevision,
      bought: nameBought(order, known),
      receipts: earlier.map((former) => ({ id: former.id, status: former.status })),
      attempts: delivery.attempts,
    },
  };
}

/** What the entry of the log becomes: its lines, and how it stands by the receipts of all that they delivered. */
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

type ClassifiedLine =
  | { readonly kind: 'wanted'; readonly product: KnownProduct; readonly versionId: string }
  | { readonly kind: 'bought'; readonly purchase: KnownPurchase }
  | { readonly kind: 'held'; readonly product: KnownProduct; readonly why: 'draft' | 'no-live-version' }
  | { readonly kind: 'unmatched' | 'not-ours' };

/** A purchase that exists stays delivered, whatever has become of the product since, or of the name it was sold under. */
function classifyLine(line: OrderLine, order: Order, known: OrderSnapshot): ClassifiedLine {
  const match = matchLine(line, order.platform, known);
  if (match.kind !== 'product') {
    const [purchase] = purchasesByAlias(line, known);
    return purchase ? { kind: 'bought', purchase } : match;
  }
  const { product } = match;
  const purchase = known.purchases.find(({ productId }) => productId === product.id);
  if (purchase) return { kind: 'bought', purchase };
  const evaluated = checkDeliverability(product);
  return evaluated.deliverable
    ? { kind: 'wanted', product, versionId: evaluated.versionId }
    : { kind: 'held', product, why: evaluated.why };
}

/** One purchase per order and product. Sorted by id, so that two commits meet the same rows in the same order. */
function groupByProduct(evaluated: readonly ClassifiedLine[]): readonly WantedProduct[] {
  const byId = new Map<string, WantedProduct & { readonly lines: number[] }>();
  for (const [at, line] of evaluated.entries()) {
    if (line.kind !== 'wanted') continue;
    const { product, versionId } = line;
    const wanted = byId.get(product.id) ?? { product, versionId, lines: [] };
    wanted.lines.push(at);
    byId.set(product.id, wanted);
  }
  return [...byId.values()].sort((a, b) => (a.product.id < b.product.id ? -1 : 1));
}

function resolveLine(
  line: OrderLine,
  position: number,
  evaluated: ClassifiedLine,
  purchases: readonly Purchase[],
): DeliveryLine {
  switch (evaluated.kind) {
    case 'wanted': {
      const purchase = purchases.find(({ productId }) => productId === evaluated.product.id);
      return describeLine(line, position, 'delivered', evaluated.product.id, purchase?.id ?? null);
    }
    case 'bought':
      return describeLine(
        line,
        position,
        'already-delivered',
        evaluated.purchase.productId,
        evaluated.purchase.id,
      );
    case 'held':
      return {
        ...describeLine(line, position, 'held', evaluated.product.id),
        reason: explainLine(line, { held: evaluated.why, product: evaluated.product.name }),
      };
    case 'unmatched':
      return { ...describeLine(line, position, 'unmatched'), reason: explainLine(line, 'unmatched') };
    case 'not-ours':
      return describeLine(line, position, 'not-ours');
  }
}

function describeLine(
  line: OrderLine,
  position: number,
  outcome: LineOutcome,
  productId: string | null = null,
  purchaseId: string | null = null,
): DeliveryLine {
  const [best] = line.candidates;
  const sku = best?.value ?? line.title ?? '';
  return { position, sku, candidate: best?.kind ?? null, outcome, reason: null, productId, purchaseId };
}

function explainStatus(
  status: DeliveryStatus,
  lines: readonly DeliveryLine[],
  receipts: readonly { readonly status: ReceiptStatus }[],
): string | null {
  // What was delivered needs no reason; its unmatched lines stay flagged line by line.
  if (status === 'pending' || status === 'success') return null;
  if (status === 'error' && receipts.some((receipt) => receipt.status === 'refused')) return explainRefusal();
  const reasons = [...new Set(lines.flatMap(({ reason }) => (reason ? [reason] : [])))];
  if (reasons.length <= 3) return reasons.join(' ') || null;
  return `${reasons.slice(0, 3).join(' ')} And ${reasons.length - 3} more lines like these.`;
}

/** Purchases that no line stands for any more, because its name has another meaning by now, stay with the entry. */
function listFormerLines(
  order: Order,
  lines: readonly DeliveryLine[],
  known: OrderSnapshot,
): readonly DeliveryLine[] {
  const former = new Map<string, { readonly line: OrderLine; readonly purchase: KnownPurchase }>();
  for (const line of order.lines) {
    for (const purchase of purchasesByAlias(line, known)) former.set(purchase.id, { line, purchase });
  }
  for (const { purchaseId } of lines) former.delete(purchaseId ?? '');
  return [...former.values()].map(({ line, purchase }, at) =>
    describeLine(line, order.lines.length + at, 'already-delivered', purchase.productId, purchase.id),
  );
}

/** The receipt of a purchase that an earlier run made. */
type EarlierReceipt = NonNullable<KnownPurchase['receipt']>;

function collectEarlierReceipts(lines: readonly DeliveryLine[], { purchases }: OrderSnapshot) {
  const named = new Set(lines.map(({ purchaseId }) => purchaseId));
  const byId = new Map<string, EarlierReceipt>();
  for (const { id, receipt } of purchases) if (receipt && named.has(id)) byId.set(receipt.id, receipt);
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** One that is pending and was not tried yet is on its way. */
function isOverdue({ status, attempts }: EarlierReceipt): boolean {
  return status === 'refused' || (status === 'pending' && attempts > 0);
}

function makeActivity(order: Order, receipt: Receipt, count: number, ids: Ids, now: Date) {
  const products = count === 1 ? '1 product' : `${count} products`;
  const summary = `${vendorOf(order.platform)} order ${order.orderNumber}: ${products} delivered.`;
  return {
    id: ids.next(),
    at: now,
    kind: 'order-delivered',
    subjectId: receipt.id,
    summary,
    ...AUTOMATIC,
  } as const;
}

function mailJob(orgId: string, receiptId: string, startAfter: Date): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId, emailId: receiptId, startAfter };
}

function nameBought(
  { connectionId, orderId }: Order,
  { purchases }: OrderSnapshot,
): Plan['expectedVersions']['bought'] {
  return { connectionId, orderId, purchaseIds: purchases.map(({ id }) => id) };
}

/** The plan of an order that something keeps from being checked line by line. */
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
