import {
  type Candidate,
  countItems,
  formatDecimal,
  joinNames,
  listCandidates,
  type OrderLine,
  parseDecimal,
  readPayload,
  readQuantity,
  splitNames,
  type TranslatedEntry,
  type TranslatedOrder,
} from '@handover/platform-contract';
import { foldName } from './fold-name.ts';
import { type ThriveCartCharge, type ThriveCartPayload, ThriveCartSchema } from './thrivecart-payload.ts';

export function translateThriveCart(body: unknown): TranslatedEntry {
  const payload = readPayload(ThriveCartSchema, body) ?? {};
  const event = given(payload.event);
  const id = given(payload.order_id);
  const orderId = id === undefined ? null : `thrivecart:${id}`;
  const notes: string[] = [];
  const lines = translateLines(payload, notes);
  const isCompleted =
    event === undefined ? orderId !== null && lines.length > 0 : foldName(event) === 'order.success';
  if (!isCompleted) {
    const reason = event
      ? `The event ${event} does not announce a completed order.`
      : 'The body is not an order.';
    return { kind: 'ignored', orderId, reason };
  }
  return { kind: 'order', order: { ...translateOrder(payload), orderId: orderId ?? '', lines, notes } };
}

function translateOrder({ customer = {}, ...payload }: ThriveCartPayload) {
  const name = given(customer.name) ?? joinNames(given(customer.first_name), given(customer.last_name));
  return {
    orderNumber: given(payload.invoice_id) ?? given(payload.order_id) ?? '',
    customer: { email: given(customer.email) ?? null, name },
    currency: given(payload.currency) ?? null,
    total: readTotal(payload),
    test: payload.mode === 'test' || payload.mode_int === '1',
  } satisfies Partial<TranslatedOrder>;
}

/** In a form, what is missing comes as the text `null`. */
function given(text: string | undefined): string | undefined {
  return text === 'null' ? undefined : text;
}

/** The text form may carry separators of thousands; the number never does. */
function readTotal({ order }: ThriveCartPayload): string | null {
  const text = given(order?.total_str);
  return parseDecimal(text ?? '') ? (text ?? null) : (readHundredths(order?.total) ?? text ?? null);
}

function readHundredths(text: string | undefined): string | null {
  const decimal = parseDecimal(text ?? '');
  return decimal && formatDecimal({ ...decimal, scale: decimal.scale + 2 });
}

/** Each charge, or where there is none each product of the purchase map, for which no prices are known. */
function translateLines(payload: ThriveCartPayload, notes: string[]): readonly OrderLine[] {
  const charges = (payload.order?.charges ?? []).filter(({ quantity }) => readQuantity(quantity) !== 0);
  if (charges.length > 0) {
    return charges.map((charge, position) => translateCharge(charge, `Line ${position + 1}`, notes));
  }
  return splitNames(given(payload.purchase_map_flat)).map((identifier) => ({
    candidates: listItemCandidates(identifier),
    quantity: 1,
    amount: null,
    title: null,
  }));
}

function translateCharge(charge: ThriveCartCharge, name: string, notes: string[]): OrderLine {
  const amount = readHundredths(charge.amount);
  if (amount === null) notes.push(`${name}: no readable amount.`);
  return {
    candidates: listItemCandidates(given(charge.item_identifier), given(charge.reference)),
    quantity: countItems(given(charge.quantity), name, notes),
    amount,
    title: given(charge.name) ?? null,
  };
}

/** The vendor writes the same item now `product_101`, now `product-101`: either may be what was mapped. */
function listItemCandidates(identifier: string | undefined, reference?: string): readonly Candidate[] {
  return listCandidates({
    skus: [identifier, identifier?.replaceAll('_', '-'), identifier?.replaceAll('-', '_')],
    vendorIds: [reference],
  });
}
