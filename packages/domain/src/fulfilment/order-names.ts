import type { Delivery } from '../model/delivery.ts';
import { normalizeEmail, readEmail } from '../model/email-address.ts';
import type { TranslatedOrder } from '../model/order.ts';

/** What an entry of the log is found by. */
export type OrderNames = Pick<Delivery, 'orderId' | 'orderNumber' | 'normalizedEmail'>;

export const NO_ORDER: OrderNames = { orderId: null, orderNumber: null, normalizedEmail: null };

/** Longer than any genuine one, and short enough for an index. */
const MAX_NUMBER_LENGTH = 200;

export function nameOrder({ orderId, orderNumber, customer }: TranslatedOrder): OrderNames {
  const email = readEmail(customer.email);
  return {
    orderId,
    orderNumber: orderNumber.slice(0, MAX_NUMBER_LENGTH),
    normalizedEmail: email === null ? null : normalizeEmail(email),
  };
}
