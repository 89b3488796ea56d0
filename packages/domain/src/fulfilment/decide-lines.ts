import type { DeliveryLine, LineOutcome } from '../model/delivery.ts';
import type { Order, OrderLine } from '../model/order.ts';
import type { KnownProduct, KnownPurchase, OrderSnapshot } from '../model/plan.ts';
import { checkDeliverability } from '../model/product.ts';
import type { Purchase } from '../model/purchase.ts';
import { explainLine } from './evaluate-delivery.ts';
import type { WantedProduct } from './make-sale.ts';
import { matchLine, purchasesByAlias } from './match-line.ts';

/** A line of the order, and what becomes of it, before anything is sold. */
export interface ClassifiedLine {
  readonly line: OrderLine;
  readonly as: LineClass;
}

type LineClass =
  | { readonly kind: 'wanted'; readonly product: KnownProduct; readonly versionId: string }
  | { readonly kind: 'bought'; readonly purchase: KnownPurchase }
  | { readonly kind: 'held'; readonly product: KnownProduct; readonly why: 'draft' | 'no-live-version' }
  | { readonly kind: 'unmatched' | 'not-ours' };

export function classifyLines(order: Order, known: OrderSnapshot): readonly ClassifiedLine[] {
  return order.lines.map((line) => ({ line, as: classifyLine(line, order, known) }));
}

/** A purchase that exists stays delivered, whatever has become of the product since, or of the name it was sold under. */
function classifyLine(line: OrderLine, order: Order, known: OrderSnapshot): LineClass {
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
export function groupByProduct(classified: readonly ClassifiedLine[]): readonly WantedProduct[] {
  const byId = new Map<string, WantedProduct & { readonly lines: number[] }>();
  for (const [at, { as }] of classified.entries()) {
    if (as.kind !== 'wanted') continue;
    const { product, versionId } = as;
    const wanted = byId.get(product.id) ?? { product, versionId, lines: [] };
    wanted.lines.push(at);
    byId.set(product.id, wanted);
  }
  return [...byId.values()].sort((a, b) => (a.product.id < b.product.id ? -1 : 1));
}

/**
 * The lines of the entry, once the sale of what is wanted is made: those of the order, then the purchases of former
 * runs that no line names any more.
 */
export function describeLines(
  order: Order,
  known: OrderSnapshot,
  classified: readonly ClassifiedLine[],
  purchases: readonly Purchase[],
): readonly DeliveryLine[] {
  const lines = classified.map((one, at) => resolveLine(one, at, purchases));
  return [...lines, ...listFormerLines(order, lines, known)];
}

function resolveLine(
  { line, as }: ClassifiedLine,
  position: number,
  purchases: readonly Purchase[],
): DeliveryLine {
  switch (as.kind) {
    case 'wanted': {
      const purchase = purchases.find(({ productId }) => productId === as.product.id);
      return describeLine(line, position, 'delivered', as.product.id, purchase?.id ?? null);
    }
    case 'bought':
      return describeLine(line, position, 'already-delivered', as.purchase.productId, as.purchase.id);
    case 'held':
      return {
        ...describeLine(line, position, 'held', as.product.id),
        reason: explainLine(line, { held: as.why, product: as.product.name }),
      };
    case 'unmatched':
      return { ...describeLine(line, position, 'unmatched'), reason: explainLine(line, 'unmatched') };
    case 'not-ours':
      return describeLine(line, position, 'not-ours');
  }
}

export function describeLine(
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
