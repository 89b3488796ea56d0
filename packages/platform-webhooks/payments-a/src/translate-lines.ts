import {
  countItems,
  type Decimal,
  formatDecimal,
  listCandidates,
  type OrderLine,
  readPayload,
} from '@handover/platform-contract';
import { readMinorUnits } from './minor-units.ts';
import { type LineItemPayload, ProductSchema, type SessionPayload } from './payload.ts';

/**
 * What was bought. Events do not list it, so the seller names it in the session's metadata; only where that
 * is silent do embedded lines count.
 * https://docs.stripe.com/checkout/fulfillment#create-fulfillment-function
 */
export function translateLines(
  session: SessionPayload,
  total: Decimal | null,
): { readonly lines: readonly OrderLine[]; readonly notes: readonly string[] } {
  const named = nameLines(session.metadata ?? {}, total);
  if (named.length > 0) return { lines: named, notes: [] };
  const items = session.line_items?.data ?? [];
  if (items.length === 0) return { lines: [], notes: [NO_PRODUCT] };
  const notes = session.line_items?.has_more ? [MORE_LINES] : [];
  const lines = items.map((item, position) =>
    translateItem(item, session.currency ?? null, `Line ${position + 1}`, notes),
  );
  return { lines, notes };
}

const NO_PRODUCT = "The session names no product: put the product's SKU into its metadata as sku.";
const MORE_LINES = 'The session has more lines than the event lists.';

/** There is one total for all of them: it stands on the first line, so that the sum stays true. */
function nameLines(
  metadata: NonNullable<SessionPayload['metadata']>,
  total: Decimal | null,
): readonly OrderLine[] {
  const sources = [
    [metadata.sku],
    metadata.skus?.split(',') ?? [],
    [metadata.product_id ?? metadata.productId],
  ];
  const [candidates = []] = sources
    .map((texts) => listCandidates({ skus: texts.map((text) => text?.trim()), vendorIds: [] }))
    .filter((found) => found.length > 0);
  return candidates.map((candidate, position) => ({
    candidates: [candidate],
    quantity: 1,
    amount: total && formatDecimal(position === 0 ? total : { units: 0n, scale: total.scale }),
    title: null,
  }));
}

function translateItem(
  item: LineItemPayload,
  currency: string | null,
  name: string,
  notes: string[],
): OrderLine {
  const { price } = item;
  const product = readProduct(price?.product);
  const amount = readMinorUnits(item.amount_total, currency);
  if (!amount) notes.push(`${name}: no readable amount.`);
  return {
    candidates: listCandidates({
      skus: [price?.lookup_key, price?.metadata?.sku, product?.metadata?.sku],
      vendorIds: [price?.id, product?.id],
    }),
    quantity: countItems(item.quantity, name, notes),
    amount: amount && formatDecimal(amount),
    title: item.description ?? null,
  };
}

function readProduct(product: unknown) {
  return readPayload(ProductSchema, typeof product === 'string' ? { id: product } : product);
}
