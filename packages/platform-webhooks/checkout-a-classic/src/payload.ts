import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://fastspring.com/docs/classic/Notifications-Overview
// Template and form alike: the names of our template first, then those of the vendor's default parameters,
// then the names that merchants commonly use. Numbers are text here. Only the members that translation
// reads are listed.

const LineMembers = {
  sku: Type.String(),
  productPath: Type.String(),
  productName: Type.String(),
  quantity: Type.String(),
  /** The price of the line. */
  price: Type.String(),
};

const Item = Type.Object(LineMembers);

export const NotificationSchema = Type.Object({
  orderId: Type.String(),
  OrderID: Type.String(),
  OrderReference: Type.String(),
  orderReference: Type.String(),
  referenceId: Type.String(),
  email: Type.String(),
  CustomerEmail: Type.String(),
  customerEmail: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  CustomerFirstName: Type.String(),
  CustomerLastName: Type.String(),
  CustomerCompany: Type.String(),
  currency: Type.String(),
  total: Type.String(),
  OrderSubTotalUSD: Type.String(),
  OrderDiscountTotalUSD: Type.String(),
  OrderShippingTotalUSD: Type.String(),
  test: Type.Unknown(),
  OrderIsTest: Type.Unknown(),
  testmode: Type.Unknown(),
  Status: Type.String(),
  status: Type.String(),
  items: Type.Array(Item),
  ...LineMembers,
  /** The names of all products of the order; their SKUs are not sent. */
  OrderProductNames: Type.String(),
});

export type NotificationPayload = AsRead<Static<typeof NotificationSchema>>;
export type ItemPayload = AsRead<Static<typeof Item>>;

/**
 * The template that a merchant pastes as the content of a custom notification of type Order Item: one
 * delivery for each line. https://fastspring.com/docs/classic/Notifications-Overview
 */
export const CONTENT_TEMPLATE = `{"orderId":"#{order.reference}","test":"#{order.isTest}","currency":"#{order.currency}","total":"#{order.total.value}",
 "email":"#{order.customer.email}","firstName":"#{order.customer.firstName}","lastName":"#{order.customer.lastName}",
 "items":[{"sku":"#{orderItem.productName}","quantity":"#{orderItem.quantity}","price":"#{orderItem.priceTotal.value}"}]}
`;

/**
 * The body with its product names on one line each: otherwise parsing the payload would join names on
 * adjacent lines into one.
 */
export function keepLineBreaks(body: unknown): unknown {
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

/** Replaces line breaks between product names, because parsing a payload turns them into blanks. */
const SEPARATOR = ';';

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
export function decodeTwiceEncoded(body: unknown): unknown {
  if (!isRecord(body)) return body;
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
