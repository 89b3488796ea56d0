/**
 * What a merchant pastes as the content of a custom notification of type Order Item: one delivery for each line.
 * https://fastspring.com/docs/classic/Notifications-Overview
 */
export const CONTENT_TEMPLATE = `{"orderId":"#{order.reference}","test":"#{order.isTest}","currency":"#{order.currency}","total":"#{order.total.value}",
 "email":"#{order.customer.email}","firstName":"#{order.customer.firstName}","lastName":"#{order.customer.lastName}",
 "items":[{"sku":"#{orderItem.productName}","quantity":"#{orderItem.quantity}","price":"#{orderItem.priceTotal.value}"}]}
`;
