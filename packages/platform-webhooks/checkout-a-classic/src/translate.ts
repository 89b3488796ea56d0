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
import { classifyNotification, readEmail } from './classify.ts';
import { type ItemPayload, type NotificationPayload, NotificationSchema } from './payload.ts';

export function translate(body: unknown): readonly TranslatedEntry[] | Unreadable {
  const decoded = decodeTwiceEncoded(body);
  const payload = readPayload(NotificationSchema, keepLineBreaks(decoded));
  if (!payload) return { kind: 'unreadable', problem: 'The body is neither a JSON object nor a form.' };
  const classification = classifyNotification(payload, decoded);
  if (classification.kind !== 'completed') return [classification];
  return [{ kind: 'order', order: translateOrder(classification.orderId, payload) }];
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

/** Replaces line breaks between product names, because parsing a payload turns them into blanks. */
const SEPARATOR = ';';

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

/**
 * The body with its product names on one line each: otherwise parsing the payload would join names on
 * adjacent lines into one.
 */
function keepLineBreaks(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { items } = body;
  const joined = Array.isArray(items)
    ? { items: items.map((item) => (isRecord(item) ? joinNamed(item) : item)) }
    : {};
  return { ...joinNamed(body), ...joined };
}

type Members = Readonly<Record<string, unknown>>;

const NAMES = ['sku', 'productPath', 'productName', 'OrderProductNames'];

function joinNamed(value: Members): Members {
  const members = Object.entries(value).filter(([name]) => NAMES.includes(name));
  return { ...value, ...Object.fromEntries(members.map(([name, text]) => [name, joinLines(text)])) };
}

function joinLines(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().replace(/[\r\n]+/g, SEPARATOR) : value;
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Decodes the texts of a body once more where the buyer's address shows double encoding
 * (`buyer%40example.com`): a rule of the merchant can encode what the vendor then encodes again.
 */
function decodeTwiceEncoded(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body);
  const isTwice = members.some(([name, value]) => ADDRESSES.has(name) && isEncodedAddress(value));
  return isTwice ? Object.fromEntries(members.map(([name, value]) => [name, decode(value)])) : body;
}

const ADDRESSES: ReadonlySet<string> = new Set(['email', 'CustomerEmail', 'customerEmail']);

function isEncodedAddress(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('@') && /%40/.test(value);
}

function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
