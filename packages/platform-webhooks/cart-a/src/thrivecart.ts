import {
  addDecimals,
  countItems,
  type Decimal,
  explainRefund,
  formatDecimal,
  joinNames,
  listCandidates,
  MAX_LINES,
  type OrderLine,
  parseDecimal,
  readPayload,
  readQuantity,
  splitNames,
  subtractDecimals,
  type TranslatedEntry,
  type TranslatedOrder,
} from '@handover/platform-contract';
import { normalizeName, type ThriveCartCharge, type ThriveCartPayload, ThriveCartSchema } from './payload.ts';

export function translateThriveCart(body: unknown): TranslatedEntry {
  const payload = readPayload(ThriveCartSchema, body) ?? {};
  const event = given(payload.event);
  const id = given(payload.order_id) ?? given(payload.order?.id) ?? '';
  const orderId = id === '' ? null : `thrivecart:${id}`;
  const notes: string[] = [];
  const lines = translateThriveCartLines(payload, readTotal(payload), notes);
  const isCompleted =
    event === undefined ? orderId !== null && lines.length > 0 : COMPLETED.has(normalizeEvent(event));
  if (event !== undefined && normalizeEvent(event).startsWith(REFUNDED))
    return { kind: 'ignored', orderId, reason: explainRefund(event), isRefunded: true };
  if (!isCompleted) return { kind: 'ignored', orderId, reason: explainEvent(event) };
  return { kind: 'order', order: { ...translateOrder(id, payload), orderId: orderId ?? '', lines, notes } };
}

/**
 * Both can announce one sale: one goes to the account's webhook, the other to a subscription to its events.
 */
const COMPLETED: ReadonlySet<string> = new Set(['ordersuccess', 'ordercreated']);

/** The beginning of `order.refund`, and of the events that a subscription gets for each kind of item: `order_refund_upsell`. */
const REFUNDED = 'orderrefund';

function normalizeEvent(event: string): string {
  return normalizeName(event).replaceAll('.', '');
}

function explainEvent(event: string | undefined): string {
  if (event === undefined) return 'The body is not an order.';
  return normalizeEvent(event).startsWith('orderpayment')
    ? `The event ${event} is a payment of an order that order_created announces.`
    : `The event ${event} does not announce a completed order.`;
}

function translateOrder(id: string, { customer = {}, ...payload }: ThriveCartPayload) {
  const name = given(customer.name) ?? joinNames(given(customer.first_name), given(customer.last_name));
  return {
    orderNumber: given(payload.invoice_id) ?? given(payload.order?.invoice_id) ?? id,
    customer: { email: given(customer.email) ?? null, name },
    currency: given(payload.currency) ?? null,
    total: readTotal(payload),
    test: payload.mode === 'test' || payload.mode_int === '1',
  } satisfies Partial<TranslatedOrder>;
}

/** The text form may have thousands separators; the number never has. */
function readTotal({ order }: ThriveCartPayload): string | null {
  const text = given(order?.total_str);
  return parseDecimal(text ?? '') ? (text ?? null) : (readHundredths(order?.total) ?? text ?? null);
}

/** A charge with its identifier, where the payload names it. */
interface NamedCharge {
  readonly charge: ThriveCartCharge;
  readonly identifier: string | undefined;
}

/** One line per charge. Without charges, one line per entry of the purchase map; their prices are unknown. */
function translateThriveCartLines(
  payload: ThriveCartPayload,
  total: string | null,
  notes: string[],
): readonly OrderLine[] {
  const entries = listEntries(payload);
  const charges = (payload.order?.charges ?? []).filter(({ quantity }) => readQuantity(quantity) !== 0);
  if (charges.length === 0) {
    return entries.map((identifier) => ({
      candidates: listCandidates({ skus: spellIdentifier(identifier), vendorIds: [] }),
      quantity: 1,
      amount: null,
      title: null,
    }));
  }
  const findEntry = indexEntries(entries, listTexts(payload.purchases));
  const hasMap = entries.length > 0 || isGivenList(payload.purchase_map);
  const named = charges.map((charge) => ({
    charge,
    identifier: given(charge.item_identifier) ?? findEntry(charge),
  }));
  return withoutLaterPayments(named, total, notes).map((charge, position) =>
    translateCharge(charge, hasMap, `Line ${position + 1}`, notes),
  );
}

/** In a form, a missing value is the text `null`. */
export function given(text: string | undefined): string | undefined {
  return text === 'null' ? undefined : text;
}

function readHundredths(text: string | undefined): string | null {
  const decimal = parseDecimal(text ?? '');
  return decimal && formatDecimal({ ...decimal, scale: decimal.scale + 2 });
}

function listEntries({ purchase_map: map, purchase_map_flat: flat }: ThriveCartPayload) {
  const entries = listTexts(map).filter((entry) => given(entry) !== undefined);
  return entries.length > 0 ? entries : splitNames(given(flat));
}

/**
 * Finds the entry of the purchase map by a charge's name, then by its number; none where the match is
 * ambiguous.
 */
function indexEntries(entries: readonly string[], names: readonly string[]) {
  const byName = groupBy(entries, (_entry, position) => names[position]);
  const byNumber = groupBy(entries, (entry) => entry.split(/[-_]/).at(-1));
  const byTypeAndNumber = groupBy(entries, normalizeIdentifier);

  return ({ name, reference, item_type: type }: ThriveCartCharge): string | undefined => {
    const number = given(reference);
    if (number === undefined && entries.length === 1) return entries[0];
    const numbered =
      given(type) === undefined
        ? byNumber.get(number)
        : byTypeAndNumber.get(`${type}-${number}`.toLowerCase());
    const found = [byName.get(given(name)), numbered].find((group) => group?.length === 1);
    return found?.[0];
  };
}

function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item, position: number) => Key) {
  const groups = new Map<Key | undefined, Item[]>();
  for (const [position, item] of items.entries()) {
    const key = keyOf(item, position);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/**
 * A plan has two charges, `single` for today and `recurring` for later, but only one is the price: the one
 * that adds up to the order's total, otherwise today's.
 */
function withoutLaterPayments(
  charges: readonly NamedCharge[],
  total: string | null,
  notes: string[],
): readonly NamedCharge[] {
  const typesOf = new Map<string, Set<string | undefined>>();
  for (const named of charges) {
    const types = typesOf.get(nameCharge(named)) ?? new Set();
    typesOf.set(nameCharge(named), types.add(named.charge.type));
  }
  const isPlan = (named: NamedCharge) => {
    const types = typesOf.get(nameCharge(named));
    return types?.has('single') === true && types.has('recurring');
  };
  if (!charges.some(isPlan)) return charges;
  const without = (type: string) => charges.filter((named) => named.charge.type !== type || !isPlan(named));
  const [today, later] = [without('recurring'), without('single')];
  const [priceToday, priceLater] = [addUp(today), addUp(later)];
  const wanted = parseDecimal(total ?? '');
  if (wanted && priceLater && !isSame(priceToday, wanted)) {
    if (isSame(priceLater, wanted)) return later;
    if (!isSame(priceToday, priceLater)) notes.push(NO_PRICE_FITS);
  }
  return today;
}

const NO_PRICE_FITS =
  "A plan's first and later payments are one price. Neither makes the total, so the first counts.";

function nameCharge({ charge, identifier }: NamedCharge): string {
  return identifier === undefined
    ? JSON.stringify([charge.reference, charge.name])
    : normalizeIdentifier(identifier);
}

function addUp(charges: readonly NamedCharge[]): Decimal | null {
  const amounts = charges.map(({ charge }) => parseDecimal(readHundredths(charge.amount) ?? ''));
  const readable = amounts.filter((amount) => amount !== null);
  return readable.length < amounts.length ? null : readable.reduce(addDecimals, { units: 0n, scale: 0 });
}

function isSame(a: Decimal | null, b: Decimal): boolean {
  return a !== null && subtractDecimals(a, b).units === 0n;
}

function translateCharge(
  { charge, identifier }: NamedCharge,
  hasMap: boolean,
  name: string,
  notes: string[],
): OrderLine {
  const amount = readHundredths(charge.amount);
  if (amount === null) notes.push(`${name}: no readable amount.`);
  const type = given(charge.item_type);
  // An upsell's number can belong to another product. Without a type, the number counts only where the
  // payload has no map either.
  const isNumbered = identifier === undefined && (type === 'product' || (type === undefined && !hasMap));
  return {
    candidates: listCandidates({
      skus: identifier === undefined ? [] : spellIdentifier(identifier),
      vendorIds: [isNumbered ? given(charge.reference) : undefined],
    }),
    quantity: countItems(given(charge.quantity), name, notes),
    amount,
    title: given(charge.name) ?? null,
  };
}

/**
 * The vendor writes the same item as `product_101` or `product-101`, so both are candidates for the
 * mapping.
 */
function spellIdentifier(identifier: string): readonly string[] {
  return [identifier, identifier.replaceAll('_', '-'), identifier.replaceAll('-', '_')];
}

function normalizeIdentifier(identifier: string): string {
  return identifier.toLowerCase().replaceAll('_', '-');
}

/**
 * The texts of a list in any of the sender's spellings: a list; an object, which is how PHP encodes a list
 * with a gap; either of them as JSON within a form; or text with commas.
 */
export function listTexts(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? parseList(value) : value;
  if (typeof list !== 'object' || list === null) return splitNames(typeof value === 'string' ? value : '');
  const items = Object.values(list).slice(0, MAX_LINES + 1);
  return items.flatMap((item) => (typeof item === 'string' ? item.trim() || [] : []));
}

/** Whether there is a non-empty list, even in a spelling that we cannot read. */
function isGivenList(value: unknown): boolean {
  const list = typeof value === 'string' ? (parseList(value) ?? value) : value;
  if (typeof list === 'object' && list !== null) return Object.keys(list).length > 0;
  return typeof list === 'string' && list !== '' && list !== 'null';
}

function parseList(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
