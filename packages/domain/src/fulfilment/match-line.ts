import type { DeliveryLine } from '../model/delivery.ts';
import type { Candidate, Order, OrderLine } from '../model/order.ts';
import type { KnownProduct, KnownPurchase, OrderSnapshot } from '../model/plan.ts';
import type { Platform } from '../model/platform.ts';
import { normalizeSlug } from '../model/product.ts';
import type { PurchaseAlias } from '../model/purchase.ts';
import { normalizeSku, type SkuMapping } from '../model/sku-mapping.ts';

/** What a line names. `not-ours`: its SKU was marked so. `unmatched`: nobody has said yet what it is. */
export type LineMatch =
  | { readonly kind: 'product'; readonly product: KnownProduct }
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'unmatched' };

/**
 * Which product a line means: its candidates are asked in order, and the first that resolves wins. A candidate
 * resolves through a mapping for the order's platform, then (a `sku` only) through one for all platforms, then as the
 * id of one of our products, then through the product whose slug it normalises to. An id goes before a slug, because
 * no other product can ever take it.
 */
export function matchLine(
  line: OrderLine,
  platform: Platform,
  known: Pick<OrderSnapshot, 'mappings' | 'products'>,
): LineMatch {
  for (const candidate of line.candidates) {
    const match = resolveCandidate(candidate, platform, known);
    if (match) return match;
  }
  return { kind: 'unmatched' };
}

function resolveCandidate(
  candidate: Candidate,
  platform: Platform,
  { mappings, products }: Pick<OrderSnapshot, 'mappings' | 'products'>,
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

type Catalogue = Pick<OrderSnapshot, 'mappings' | 'products'>;

/** All names that may tell what an order's lines mean. */
export function listOrderCandidates({ lines }: Pick<Order, 'lines'>): readonly Candidate[] {
  const texts = new Set(lines.flatMap(({ listedIn }) => listedIn ?? []));
  return [...lines.flatMap(({ candidates }) => candidates), ...[...texts].map(asCandidate)];
}

/**
 * A comma in a text may stand between two products, or within the name of one. It is one where somebody has mapped the
 * whole text, or where a piece of it means nothing and the whole names a product: then its lines are one line.
 */
export function joinListedLines(order: Order, known: Catalogue): Order {
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

function isOneName(text: string, lines: readonly OrderLine[], order: Order, known: Catalogue): boolean {
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

/** What was delivered for a line of the order before, under the line's best name: it may stand for something else by now. */
export function purchasesByAlias(
  line: OrderLine,
  { purchases }: Pick<OrderSnapshot, 'purchases'>,
): readonly KnownPurchase[] {
  const name = nameLine(line);
  return purchases.filter(
    ({ purchaseAliases = [] }) => name !== null && purchaseAliases.some((known) => isSame(known, name)),
  );
}

/** The names that this decision finds purchases under for the first time. By key, so that all commits go the same way. */
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

/** Null for a line that has only a title: nothing is ever delivered for it. */
function nameLine({ candidates: [best] }: OrderLine): Name | null {
  return best ? { candidate: best.kind, sku: normalizeSku(best.value) } : null;
}

function isSame(a: Name, b: Name): boolean {
  return a.candidate === b.candidate && a.sku === b.sku;
}
