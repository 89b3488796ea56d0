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
