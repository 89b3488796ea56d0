import type { DeliveryLine, LineOutcome } from '../model/delivery.ts';
import type { Candidate, Order, OrderLine } from '../model/order.ts';
import type { KnownProduct, KnownPurchase, OrderSnapshot } from '../model/plan.ts';
import type { Platform } from '../model/platform.ts';
import { checkDeliverability, normalizeSlug } from '../model/product.ts';
import type { Purchase, PurchaseAlias } from '../model/purchase.ts';
import { normalizeSku, type SkuMapping } from '../model/sku-mapping.ts';
import { explainLine } from './evaluate-delivery.ts';
import type { WantedProduct } from './make-sale.ts';

/** A line of the order with its classification, before anything is sold. */
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

/** An existing purchase counts as bought, even if its product can no longer be delivered, or its SKU means another product now. */
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

/** One purchase per order and product. Sorted by id, so that concurrent commits lock rows in the same order. */
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

/** The lines of the entry after the sale: those of the order, then earlier purchases that no line means any more. */
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

/** Earlier purchases that no line means any more, because its SKU means something else now. */
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

/** The meaning of a line. `not-ours`: its SKU is ignored. `unmatched`: no product is known for it. */
export type LineMatch =
  | { readonly kind: 'product'; readonly product: KnownProduct }
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'unmatched' };

/** The mappings and products that decide what a line means. */
export type CatalogueFacts = Pick<OrderSnapshot, 'mappings' | 'products'>;

/**
 * Finds the product that a line means: the first of its candidates that resolves wins. A candidate resolves by a mapping for
 * the order's platform; a `sku` also by a mapping for all platforms, then by the id of a product, then by the slug that it
 * normalises to. An id takes precedence over a slug, because no other product can ever get it.
 */
export function matchLine(line: OrderLine, platform: Platform, known: CatalogueFacts): LineMatch {
  for (const candidate of line.candidates) {
    const match = resolveCandidate(candidate, platform, known);
    if (match) return match;
  }
  return { kind: 'unmatched' };
}

function resolveCandidate(
  candidate: Candidate,
  platform: Platform,
  { mappings, products }: CatalogueFacts,
): LineMatch | null {
  const mapping = findMapping(candidate, platform, mappings);
  if (mapping) {
    if (mapping.productId === null) return { kind: 'not-ours' };
    const mapped = products.find(({ id }) => id === mapping.productId);
    return mapped ? { kind: 'product', product: mapped } : null;
  }
  if (candidate.kind === 'vendor-id') return null;
  const id = normalizeSku(candidate.value);
  const slug = normalizeSlug(candidate.value);
  const named =
    products.find((product) => product.id === id) ??
    (slug === '' ? undefined : products.find((product) => product.slug === slug));
  return named ? { kind: 'product', product: named } : null;
}

function findMapping(candidate: Candidate, platform: Platform, mappings: readonly SkuMapping[]) {
  const sku = normalizeSku(candidate.value);
  const forPlatform = mappings.find((mapping) => mapping.sku === sku && mapping.platform === platform);
  if (forPlatform || candidate.kind === 'vendor-id') return forPlatform;
  return mappings.find((mapping) => mapping.sku === sku && mapping.platform === null);
}

/** All candidates of an order's lines, including the texts that list several products. */
export function listOrderCandidates({ lines }: Pick<Order, 'lines'>): readonly Candidate[] {
  const texts = new Set(lines.flatMap(({ listedIn }) => listedIn ?? []));
  return [...lines.flatMap(({ candidates }) => candidates), ...[...texts].map(asCandidate)];
}

/**
 * Joins the lines of a text that a translator split at commas, if the text is the name of one product: the whole text has a
 * mapping, or a part of it is unmatched and the whole text names a product.
 */
export function joinListedLines(order: Order, known: CatalogueFacts): Order {
  const wholes = new Set(
    [...Map.groupBy(order.lines, ({ listedIn }) => listedIn)].flatMap(([text, lines]) =>
      text !== undefined && isOneName(text, lines, order, known) ? [text] : [],
    ),
  );
  if (wholes.size === 0) return order;
  const joined = new Set<string>();
  const lines = order.lines.flatMap((line) => {
    const text = line.listedIn;
    if (text === undefined || !wholes.has(text)) return [line];
    if (joined.has(text)) return [];
    joined.add(text);
    return [{ ...line, candidates: [asCandidate(text)], title: text }];
  });
  return { ...order, lines };
}

function isOneName(text: string, lines: readonly OrderLine[], order: Order, known: CatalogueFacts): boolean {
  const sku = normalizeSku(text);
  const isMapped = known.mappings.some(
    (mapping) => mapping.sku === sku && (mapping.platform === null || mapping.platform === order.platform),
  );
  if (isMapped) return true;
  const means = (candidates: readonly Candidate[], line: OrderLine) =>
    matchLine({ ...line, candidates }, order.platform, known).kind !== 'unmatched';
  const [first] = lines;
  const isListed = lines.every((line) => means(line.candidates, line));
  return !isListed && first !== undefined && means([asCandidate(text)], first);
}

function asCandidate(value: string): Candidate {
  return { kind: 'sku', value };
}

/** Earlier purchases of the order that were delivered under the best candidate of the line, which may mean something else now. */
export function purchasesByAlias(
  line: OrderLine,
  { purchases }: Pick<OrderSnapshot, 'purchases'>,
): readonly KnownPurchase[] {
  const name = nameLine(line);
  return purchases.filter(
    ({ purchaseAliases = [] }) => name !== null && purchaseAliases.some((known) => isSame(known, name)),
  );
}

/** New aliases of purchases. Sorted, so that concurrent commits lock rows in the same order. */
export function listNewNames(
  order: Order,
  lines: readonly DeliveryLine[],
  known: Pick<OrderSnapshot, 'purchases'>,
): readonly PurchaseAlias[] {
  const found = new Map<string, PurchaseAlias>();
  for (const [at, line] of order.lines.entries()) {
    const purchaseId = lines[at]?.purchaseId ?? null;
    const name = nameLine(line);
    if (purchaseId === null || name === null) continue;
    if (purchasesByAlias(line, known).some(({ id }) => id === purchaseId)) continue;
    found.set(`${purchaseId} ${name.candidate} ${name.sku}`, { purchaseId, ...name });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alias]) => alias);
}

type Name = Omit<PurchaseAlias, 'purchaseId'>;

/** Null for a line that has only a title: no product is ever delivered for it. */
function nameLine({ candidates: [best] }: OrderLine): Name | null {
  return best ? { candidate: best.kind, sku: normalizeSku(best.value) } : null;
}

function isSame(a: Name, b: Name): boolean {
  return a.candidate === b.candidate && a.sku === b.sku;
}
