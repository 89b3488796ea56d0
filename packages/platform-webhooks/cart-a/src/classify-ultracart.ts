import { normalizeName } from './normalize-name.ts';
import type { UltraCartOrder } from './ultracart-payload.ts';

/** Why an event is no completed order, in a sentence; null when it is one. */
export function findObjection(
  event: string,
  { payment, current_stage: stage }: UltraCartOrder,
): string | null {
  const name = normalizeName(event);
  if (name !== PAID && name !== CREATED) {
    return event === ''
      ? 'An event of the batch is not an object.'
      : `The event ${event} does not announce a completed order.`;
  }
  const status = payment?.payment_status;
  if (NOT_PAID.has(normalizeName(status))) return `The order is not paid (${status}).`;
  if (REJECTED.has(normalizeName(stage))) return 'The order was rejected.';
  if (name === PAID || payment?.payment_dts !== undefined) return null;
  return payment
    ? 'The order is not paid yet.'
    : `${event} does not say whether the order is paid: let UltraCart send order_payment_process as well.`;
}

const PAID = 'orderpaymentprocess';
const CREATED = 'ordercreate';

const NOT_PAID: ReadonlySet<string> = new Set(['declined', 'voided', 'refunded', 'capturefailed']);
const REJECTED: ReadonlySet<string> = new Set(['rejected', 'rej']);
