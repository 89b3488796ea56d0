import { addDecimals, type Decimal, formatDecimal, parseDecimal } from '../model/currency.ts';
import { makeLink } from '../model/download-link.ts';
import { localPart } from '../model/email-address.ts';
import { readLanguage } from '../model/language.ts';
import type { Order } from '../model/order.ts';
import type { AddressCorrection, KnownProduct, OrderSnapshot, Plan } from '../model/plan.ts';
import type { Customer, Purchase } from '../model/purchase.ts';
import type { Receipt } from '../model/receipt.ts';
import type { Ids } from '../ports/clock.ts';

/** A product that an order is to be given, and the places of the lines that name it. */
export interface WantedProduct {
  readonly product: KnownProduct;
  readonly versionId: string;
  readonly lines: readonly number[];
}

/** What an order buys now, all of it under one receipt; a customer only where none is known yet. */
type Sale = Pick<Plan, 'customer' | 'purchases' | 'links'> & { readonly receipt: Receipt };

/** Makes the sale of what is wanted; null when that is nothing. */
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
 * Whose an order is that is known already: the customer of its address, or the one to whom its earlier products were moved from
 * that address, since the shop goes on naming it. Without an address it is the customer of the last correction, or whose the
 * earlier products are.
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

/** The last correction wins, also of what was sold to an address that was the right one for a while. Oldest first. */
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

/** ISO 4217's code for "no currency": who names it names none. */
const NO_CURRENCY = 'XXX';

const UNKNOWN_CURRENCY =
  'The order names no currency. Choose the one of such orders under Settings, Organisation.';

const ZERO: Decimal = { units: 0n, scale: 0 };

export interface LinePrices {
  /** Null where neither the order nor a setting says it. */
  readonly currency: string | null;
  /** What could not be taken as it came, in sentences. */
  readonly notes: readonly string[];
  /** The exact sum of the lines at these positions. */
  sum(positions: readonly number[]): string;
}

/**
 * What each line of an order costs. An amount never stops a delivery: one that is missing or unreadable counts as
 * nothing, and the note says so. Where no line has an amount, the order's total stands on the first line.
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
