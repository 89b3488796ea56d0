import type { TranslatedOrder } from '../orders/order.ts';
import { foldEmail, readEmail } from '../purchases/email.ts';
import type { Delivery } from './delivery.ts';

/** What an entry of the log is found by. */
export type OrderNames = Pick<Delivery, 'orderId' | 'orderNumber' | 'emailFolded'>;

export const NO_ORDER: OrderNames = { orderId: null, orderNumber: null, emailFolded: null };

/** Longer than any genuine one, and short enough for an index. */
const LONGEST_NUMBER = 200;

export function nameOrder({ orderId, orderNumber, customer }: TranslatedOrder): OrderNames {
  const email = readEmail(customer.email);
  return {
    orderId,
    orderNumber: orderNumber.slice(0, LONGEST_NUMBER),
    emailFolded: email === null ? null : foldEmail(email),
  };
}
