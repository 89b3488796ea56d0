import {
  addDecimals,
  formatDecimal,
  joinNames,
  parseDecimal,
  readPayload,
  subtractDecimals,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import { classifyNotification, readEmail } from './classify-notification.ts';
import { decodeTwiceEncoded } from './decode-twice-encoded.ts';
import { keepLineBreaks } from './keep-line-breaks.ts';
import { type NotificationPayload, NotificationSchema } from './payload.ts';
import { translateLines } from './translate-lines.ts';

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

/** The default parameters hold amounts in dollars only, whatever the buyer paid in. */
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
