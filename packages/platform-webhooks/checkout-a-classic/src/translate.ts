import {
  addDecimals,
  countItems,
  formatDecimal,
  joinNames,
  lastSegment,
  listCandidates,
  MAX_LINES,
  type OrderLine,
  parseDecimal,
  readPayload,
  splitNames,
  subtractDecimals,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import {
  decodeTwiceEncoded,
  type ItemPayload,
  keepLineBreaks,
  type NotificationPayload,
  NotificationSchema,
} from './payload.ts';

export function translate(body: unknown): readonly TranslatedEntry[] | Unreadable {
  const decoded = decodeTwiceEncoded(body);
  const payload = readPayload(NotificationSchema, keepLineBreaks(decoded));
  if (!payload) return { kind: 'unreadable', problem: 'The body is neither a JSON object nor a form.' };
  const classification = classifyNotification(payload, decoded);
  if (classification.kind === 'ignored' && REFUNDED.has(readStatus(payload)))
    return [{ ...classification, isRefunded: true }];
  if (classification.kind !== 'completed') return [classification];
  return [{ kind: 'order', order: translateOrder(classification.orderId, payload) }];
}

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string }
  | { readonly kind: 'ignored' | 'error'; readonly orderId: string | null; readonly reason: string };

/**
 * A body does not say which of the merchant's rules sent it. A body with an order reference and a product
 * counts as an order; the vendor treats rebills as orders too.
 */
function classifyNotification(payload: NotificationPayload, body: unknown): Classification {
  const named = readReference(payload);
  const orderId = named ?? findReference(body);
  if (orderId === null) return { kind: 'ignored', orderId, reason: NO_REFERENCE };
  const reason = findObjection(orderId, payload);
  if (reason !== null) return { kind: 'ignored', orderId, reason };
  if (named !== null && namesProduct(payload)) return { kind: 'completed', orderId };
  const hasBuyer = readEmail(payload) !== null || hasAddress(body);
  return hasBuyer && hasUnknownNames(body)
    ? { kind: 'error', orderId, reason: UNKNOWN_NAMES }
    : { kind: 'ignored', orderId, reason: named === null ? NO_REFERENCE : 'The body names no product.' };
}

const NO_REFERENCE = 'The body names no order reference.';

const UNKNOWN_NAMES =
  'The order came under field names that are not known here: send the template that the integrations page shows, ' +
  'or the default parameters.';

function readEmail({ email, CustomerEmail, customerEmail }: NotificationPayload): string | null {
  return email ?? CustomerEmail ?? customerEmail ?? null;
}

function readReference(payload: NotificationPayload): string | null {
  const { orderId, OrderID, OrderReference, orderReference, referenceId } = payload;
  return orderId ?? OrderID ?? OrderReference ?? orderReference ?? referenceId ?? null;
}

function findObjection(orderId: string, payload: NotificationPayload): string | null {
  const [, suffix] = /-\d+([SX])$/.exec(orderId) ?? [];
  if (suffix === 'S') return 'The reference is that of a subscription, not of an order.';
  if (suffix === 'X') return 'The reference is that of a return, not of an order.';
  const status = readStatus(payload);
  return NOT_COMPLETED.has(status) ? `The order is not completed (${status}).` : null;
}

function readStatus({ Status, status }: NotificationPayload): string {
  return (Status ?? status)?.toLowerCase() ?? '';
}

const REFUNDED: ReadonlySet<string> = new Set(['refunded', 'returned']);

const NOT_COMPLETED: ReadonlySet<string> = new Set([
  'canceled',
  'cancelled',
  'declined',
  'failed',
  'pending',
  'refunded',
  'returned',
  'unpaid',
]);

/** A list with an item was meant to name a product: if it does not, that is an error for the log. */
function namesProduct({ items = [], ...flat }: NotificationPayload): boolean {
  return (
    items.length > 0 || Boolean(flat.sku ?? flat.productPath ?? flat.productName ?? flat.OrderProductNames)
  );
}

/**
 * Whether a body has values under unknown names: if it names an order and a buyer, the product may be among
 * them.
 */
function hasUnknownNames(body: unknown): boolean {
  return listMembers(body).some(([name, value]) => !KNOWN_NAMES.has(name) && listTexts(value).length > 0);
}

/** A value that looks like an order reference, under any name. */
function findReference(body: unknown): string | null {
  return findText(body, /^[A-Z][A-Z0-9]*-\d+-\d+[BSX]?$/);
}

/** Whether a value under any name looks like an e-mail address, even if it was encoded twice. */
function hasAddress(body: unknown): boolean {
  return findText(body, /^([^\s@]+@|[^\s@%]+%40)[^\s@]+$/) !== null;
}

// https://fastspring.com/docs/classic/Notifications-Overview
// Without `items`: what it has in any other form than a list of objects may be the product.
const { items: _items, ...READ_NAMES } = NotificationSchema.properties;
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(READ_NAMES),
  ...[
    'security_data',
    'security_hash',
    'isRebill',
    'originIp',
    'OrderReferrer',
    'OrderCoupons',
    'CustomerPhone',
  ],
  ...['Street1', 'Street2', 'City', 'Region', 'PostalCode', 'Country'].map((part) => `Address${part}`),
]);

/** Enough for any order, and few enough to limit the work per request. */
const MAX_VALUES = 1000;

function findText(body: unknown, shape: RegExp): string | null {
  const members = listMembers(body).filter(([name]) => !name.startsWith('security_'));
  const texts = listTexts(members.map(([, value]) => value));
  return texts.find((text) => text.length < 300 && shape.test(text)) ?? null;
}

function listMembers(body: unknown): readonly (readonly [string, unknown])[] {
  return typeof body === 'object' && body !== null ? Object.entries(body).slice(0, MAX_VALUES) : [];
}

/** The texts in a value at any depth. Not recursive, because the sender chooses the nesting. */
function listTexts(root: unknown): readonly string[] {
  const values: unknown[] = [root];
  // The loop appends to the list that it reads.
  for (const value of values) {
    const room = MAX_VALUES - values.length;
    if (room <= 0) break;
    if (typeof value === 'object' && value !== null) values.push(...Object.values(value).slice(0, room));
  }
  return values.flatMap((value) => (typeof value === 'string' ? value.trim() || [] : []));
}

function translateOrder(orderId: string, payload: NotificationPayload): TranslatedOrder {
  const { lines, notes } = translateLines(payload);
  return {
    orderId,
    orderNumber: orderId,
    customer: {
      email: readEmail(payload),
      name: readName(payload),
    },
    ...readTotal(payload),
    lines,
    test: [payload.test, payload.OrderIsTest, payload.testmode].some(saysYes),
    notes,
  };
}

function readName({ firstName, lastName, ...payload }: NotificationPayload): string | null {
  return (
    joinNames(firstName, lastName) ??
    joinNames(payload.CustomerFirstName, payload.CustomerLastName) ??
    payload.CustomerCompany ??
    null
  );
}

/** The default parameters give amounts in US dollars, whatever currency the buyer paid in. */
function readTotal(payload: NotificationPayload): Pick<TranslatedOrder, 'total' | 'currency'> {
  const { total, currency, OrderSubTotalUSD, OrderDiscountTotalUSD, OrderShippingTotalUSD } = payload;
  const subtotal = parseDecimal(OrderSubTotalUSD ?? '');
  if (total !== undefined || !subtotal) return { total: total ?? null, currency: currency ?? null };
  const discount = parseDecimal(OrderDiscountTotalUSD ?? '') ?? NOTHING;
  const shipping = parseDecimal(OrderShippingTotalUSD ?? '') ?? NOTHING;
  const sum = addDecimals(subtractDecimals(subtotal, discount), shipping);
  return { total: formatDecimal(sum), currency: 'USD' };
}

const NOTHING = { units: 0n, scale: 0 };

function saysYes(flag: unknown): boolean {
  return flag === true || (typeof flag === 'string' && /^(true|1|yes)$/i.test(flag));
}

/** The lines of the order, or the single line of this delivery. */
function translateLines(payload: NotificationPayload): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const { items = [], sku, productPath, productName, OrderProductNames } = payload;
  const isNamed = (sku ?? productPath ?? productName) !== undefined;
  const own =
    isNamed || OrderProductNames === undefined ? payload : { ...payload, productName: OrderProductNames };
  const lines: OrderLine[] = [];
  for (const [position, item] of (items.length > 0 ? items : [own]).entries()) {
    lines.push(...translateItem(item, `Item ${position + 1}`, notes));
    // Each text can name a thousand products: stop at the limit.
    if (lines.length > MAX_LINES) break;
  }
  return { lines, notes };
}

/** One line, or one line per product where one text names several: the first of them has the whole price. */
function translateItem(item: ItemPayload, name: string, notes: string[]): readonly OrderLine[] {
  const { sku, productPath, productName, price } = item;
  const quantity = countItems(item.quantity, name, notes);
  const paths = splitNames(productPath).map(lastSegment);
  const [names = []] = [splitNames(sku), paths, splitNames(productName)].filter(({ length }) => length > 0);
  const listedIn = splitNames(sku).length > 0 ? sku : paths.length > 0 ? undefined : productName;
  if (names.length < 2) {
    const skus = [names[0], paths.length === 1 ? paths[0] : undefined, productName];
    const candidates = listCandidates({ skus, vendorIds: [] });
    return [{ candidates, quantity, amount: price ?? null, title: productName ?? null }];
  }
  const isDecimal = parseDecimal(price ?? '') !== null;
  return names.map((text, position) => ({
    candidates: listCandidates({ skus: [text], vendorIds: [] }),
    quantity,
    amount: position === 0 ? (price ?? null) : isDecimal ? '0' : null,
    title: null,
    ...(listedIn === undefined ? {} : { listedIn }),
  }));
}
