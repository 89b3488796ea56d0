import {
  countItems,
  explainRefund,
  formatDecimal,
  joinNames,
  listCandidates,
  multiplyDecimal,
  type OrderLine,
  parseDecimal,
  readPayload,
  readQuantity,
  type TranslatedEntry,
  type TranslatedOrder,
  translateItems,
} from '@handover/platform-contract';
import { normalizeName, type SamCartPayload, type SamCartProduct, SamCartSchema } from './payload.ts';

/** The whole order or one product of it: each rule of the merchant posts under the same order id. */
export function translateSamCart(body: unknown): TranslatedEntry {
  const payload = readPayload(SamCartSchema, body) ?? {};
  const { order, type } = payload;
  const orderId = order?.id === undefined ? null : `samcart:${order.id}`;
  const products = listProducts(payload);
  if (type === undefined ? orderId === null || products.length === 0 : !COMPLETED.has(normalizeName(type))) {
    if (type !== undefined && REFUNDED.has(normalizeName(type)))
      return { kind: 'ignored', orderId, reason: explainRefund(type), isRefunded: true };
    const reason = type
      ? `The type ${type} does not announce a completed order.`
      : 'The body is not an order.';
    return { kind: 'ignored', orderId, reason };
  }
  const charged = products.filter(({ status }) => !NOT_CHARGED.has(normalizeName(status)));
  const isRefunded = products.some(({ status }) => normalizeName(status) === 'refunded');
  const refunded = isRefunded ? ({ isRefunded } as const) : {};
  if (charged.length === 0 && products.length > 0)
    return { kind: 'ignored', orderId, reason: 'None of the products was charged.', ...refunded };
  return { kind: 'order', order: { ...translateOrder(orderId ?? '', payload, charged), ...refunded } };
}

const COMPLETED: ReadonlySet<string> = new Set([
  'order',
  'productpurchased',
  'checkoutcharged',
  'upsellpurchased',
]);

const REFUNDED: ReadonlySet<string> = new Set([
  'refund',
  'partialrefund',
  'productrefunded',
  'productpartiallyrefunded',
  'subscriptionchargerefunded',
  'subscriptionchargepartiallyrefunded',
]);

const NOT_CHARGED: ReadonlySet<string> = new Set(['refunded', 'canceled', 'cancelled', 'failed', 'declined']);

function listProducts({ product, products = [] }: SamCartPayload): readonly SamCartProduct[] {
  const named = products.length > 0 || product === undefined ? products : [product];
  return named.filter(({ quantity }) => readQuantity(quantity) !== 0);
}

function translateOrder(
  orderId: string,
  { order, customer }: SamCartPayload,
  products: readonly SamCartProduct[],
): TranslatedOrder {
  const notes: string[] = [];
  return {
    orderId,
    orderNumber: order?.id ?? orderId,
    customer: {
      email: customer?.email ?? null,
      name: joinNames(customer?.first_name, customer?.last_name),
    },
    // The vendor never names the currency: it is a setting of the connection.
    currency: null,
    total: order?.total ?? null,
    lines: translateItems(products, notes, translateLine),
    test: false,
    notes,
  };
}

function translateLine(product: SamCartProduct, name: string, notes: string[]): OrderLine {
  const quantity = countItems(product.quantity, name, notes);
  const price = parseDecimal(product.price ?? '');
  if (!price) notes.push(`${name}: no readable price.`);
  return {
    candidates: listCandidates({
      skus: [product.sku, product.internal_product_name],
      vendorIds: [product.id],
    }),
    quantity,
    amount: price && formatDecimal(multiplyDecimal(price, quantity)),
    title: product.name ?? null,
  };
}
