import { addDecimals, type Decimal, formatDecimal, parseDecimal } from '../model/currency.ts';
import { makeLink } from '../model/download-link.ts';
import { localPart } from '../model/email-address.ts';
import { readLanguage } from '../model/language.ts';
import type { Order } from '../model/order.ts';
import type { AddressCorrection, KnownProduct, OrderSnapshot, Plan } from '../model/plan.ts';
import type { Customer, Purchase } from '../model/purchase.ts';
import type { Receipt } from '../model/receipt.ts';
import type { Ids } from '../ports/clock.ts';

/** A product to sell, and the positions of the lines that name it. */
export interface WantedProduct {
  readonly product: KnownProduct;
  readonly versionId: string;
  readonly lines: readonly number[];
}

/** What an order buys now, under one receipt. `customer` is null if the customer exists. */
type Sale = Pick<Plan, 'customer' | 'purchases' | 'links'> & { readonly receipt: Receipt };

/** Makes the sale of the wanted products; null if there are none. */
export function makeSale(
  order: Order,
  known: OrderSnapshot,
  { wanted, email, prices }: Wanting,
  now: Date,
  ids: Ids,
): Sale | null {
  if (wanted.length === 0) return null;
  const customer = findCustomer(known, email);
  const receipt = makeReceipt(order, customer, now, ids);
  const purchases = wanted.map((product) => makePurchase(order, receipt, product, prices, ids));
  return {
    receipt,
    customer: customer || email === null ? null : makeCustomer(order, email, receipt),
    purchases,
    links: purchases.map(({ orgId, id: purchaseId }) => makeLink({ id: ids.next(), orgId, purchaseId }, now)),
  };
}

interface Wanting {
  readonly wanted: readonly WantedProduct[];
  readonly email: string | null;
  readonly prices: LinePrices;
}

/**
 * The existing customer of an order; null if there is none. If an address correction moved earlier purchases of the order
 * away from the customer of its address, it is the customer to whom they were moved, because the shop still sends the old
 * address. Without an address it is the customer of the last correction, or of the earlier purchases.
 */
export function findCustomer(
  { customer, purchases }: Pick<OrderSnapshot, 'customer' | 'purchases'>,
  email: string | null,
): OrderSnapshot['customer'] {
  const owners = purchases.flatMap((purchase) => purchase.customer ?? []);
  const corrections = owners
    .flatMap((owner) => owner.corrections)
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  if (email !== null) return customer && { id: followCorrections(customer.id, corrections) };
  const id = corrections.at(-1)?.to ?? owners.at(-1)?.id;
  return id === undefined ? null : { id };
}

/** Follows the corrections, oldest first, from a customer to the current one. */
function followCorrections(customerId: string, corrections: readonly AddressCorrection[]): string {
  const passed = new Set([customerId]);
  let current = customerId;
  for (const { from, to } of corrections) {
    if (!passed.has(from)) continue;
    passed.add(to);
    current = to;
  }
  return current;
}

function makeReceipt(order: Order, customer: OrderSnapshot['customer'], now: Date, ids: Ids): Receipt {
  return {
    id: ids.next(),
    orgId: order.orgId,
    customerId: customer?.id ?? ids.next(),
    language: readLanguage(order.language),
    createdAt: now,
  };
}

function makeCustomer(order: Order, email: string, { customerId, createdAt }: Receipt): Customer {
  const name = order.customer.name?.trim() || localPart(email);
  return { id: customerId, orgId: order.orgId, email, name, createdAt };
}

function makePurchase(
  order: Order,
  receipt: Receipt,
  { product, versionId, lines }: WantedProduct,
  prices: LinePrices,
  ids: Ids,
): Purchase {
  return {
    id: ids.next(),
    orgId: order.orgId,
    customerId: receipt.customerId,
    productId: product.id,
    versionId,
    amount: prices.sum(lines),
    currency: prices.currency,
    paymentMethod: order.platform,
    source: order.platform,
    connectionId: order.connectionId,
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    receiptId: receipt.id,
    createdAt: receipt.createdAt,
  };
}

/** The ISO 4217 code for "no currency". */
const NO_CURRENCY = 'XXX';

const UNKNOWN_CURRENCY =
  'The order names no currency. Choose the one of such orders under Settings, Organisation.';

const ZERO: Decimal = { units: 0n, scale: 0 };

export interface LinePrices {
  /** Null if neither the order nor a setting names it. */
  readonly currency: string | null;
  /** Sentences about missing or unreadable values. */
  readonly notes: readonly string[];
  /** The exact sum of the lines at these positions. */
  sum(positions: readonly number[]): string;
}

/**
 * The prices of an order's lines. An amount never prevents a delivery: a missing or unreadable one counts as 0, with a note.
 * If no line has an amount, the first line gets the order's total.
 */
export function priceLines(order: Order, defaultCurrency: string | null): LinePrices {
  const notes: string[] = [];
  const given = order.lines.some(({ amount }) => amount !== null);
  const texts = order.lines.map(({ amount }, at) => (given ? amount : at === 0 ? order.total : null));
  const amounts = texts.map((text) => {
    if (text === null) return ZERO;
    const amount = parseDecimal(text);
    if (!amount) notes.push(`The amount “${text.slice(0, 40)}” is not a number; it counts as 0.`);
    return amount ?? ZERO;
  });
  if (texts.every((text) => text === null)) notes.push('The order names no amount; it counts as 0.');
  const named = order.currency === NO_CURRENCY ? null : order.currency;
  const currency = named ?? defaultCurrency;
  if (currency === null) notes.push(UNKNOWN_CURRENCY);
  return {
    currency,
    notes,
    sum: (positions) =>
      formatDecimal(positions.reduce((sum, at) => addDecimals(sum, amounts[at] ?? ZERO), ZERO)),
  };
}
