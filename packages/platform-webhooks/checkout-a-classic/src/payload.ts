import type { AsRead } from '@handover/platform-contract';
import { type Static, Type } from 'typebox';

// https://fastspring.com/docs/classic/Notifications-Overview
// Template and form alike: the names of our template first, then those of the vendor's default parameters, then
// those that merchants commonly give theirs. Numbers are text here. Only what translation reads is listed.

const LineMembers = {
  sku: Type.String(),
  productPath: Type.String(),
  productName: Type.String(),
  quantity: Type.String(),
  /** Of the whole line. */
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
  /** Of all the order's products, none of their SKUs. */
  OrderProductNames: Type.String(),
});

export type NotificationPayload = AsRead<Static<typeof NotificationSchema>>;
export type ItemPayload = AsRead<Static<typeof Item>>;

/**
 * What a merchant pastes as the content of a custom notification of type Order Item: one delivery for each line.
 * https://fastspring.com/docs/classic/Notifications-Overview
 */
export const CONTENT_TEMPLATE = `{"orderId":"#{order.reference}","test":"#{order.isTest}","currency":"#{order.currency}","total":"#{order.total.value}",
 "email":"#{order.customer.email}","firstName":"#{order.customer.firstName}","lastName":"#{order.customer.lastName}",
 "items":[{"sku":"#{orderItem.productName}","quantity":"#{orderItem.quantity}","price":"#{orderItem.priceTotal.value}"}]}
`;
