import {
  type Candidate,
  currencyDigits,
  formatDecimal,
  type OrderLine,
  parseDecimal,
  type TranslatedEntry,
  type TranslatedOrder,
} from '@handover/domain';
import type { Unreadable } from './platform-webhook.ts';
import { cleanText, cutText, MAX_LENGTHS, MAX_LINES } from './read-payload.ts';

/**
 * Sanitizes a translator's result for storage: clean text of bounded length, plain decimals, whole
 * quantities. It is the only place that does, so that no translator can forget it.
 */
export function sanitizeEntry(entry: TranslatedEntry): TranslatedEntry | Unreadable {
  if (entry.kind !== 'order') {
    const given = cleanText(entry.orderId ?? '');
    const orderId = given !== null && given.length <= MAX_LENGTHS.orderId ? given : null;
    const isRefunded = entry.kind === 'ignored' && entry.isRefunded === true;
    // Without the order that it names, a number would only look like one. A refund may name its order by the number alone, but not
    // beside an id that cannot be stored: another order may have that number.
    const isNamed = orderId !== null || (isRefunded && given === null);
    const orderNumber = isNamed ? truncateText(entry.orderNumber ?? null, MAX_LENGTHS.orderNumber) : null;
    const sanitized = {
      orderId,
      ...(orderNumber && { orderNumber }),
      reason: truncateText(entry.reason, MAX_LENGTHS.sentence) ?? NO_REASON[entry.kind],
    };
    return isRefunded ? { kind: 'ignored', ...sanitized, isRefunded } : { kind: entry.kind, ...sanitized };
  }
  const orderId = cleanText(entry.order.orderId);
  if (orderId === null) return { kind: 'unreadable', problem: 'The order has no id.' };
  if (orderId.length > MAX_LENGTHS.orderId) {
    // A truncated id could be another order's id, and the id identifies the order.
    return {
      kind: 'unreadable',
      problem: `The order's id is longer than ${MAX_LENGTHS.orderId} characters.`,
    };
  }
  return { kind: 'order', order: sanitizeOrder(orderId, withoutTooManyLines(entry.order)) };
}

const NO_REASON = {
  ignored: 'This is not a completed order.',
  error: 'Nothing could be made of this order.',
} as const;

/** Delivering only the first lines could leave out paid ones, so an operator has to look at the order. */
function withoutTooManyLines(order: TranslatedOrder): TranslatedOrder {
  if (order.lines.length <= MAX_LINES) return order;
  const note = `The order has more than ${MAX_LINES} lines, so none of them was read.`;
  return { ...order, lines: [], notes: [note, ...order.notes] };
}

/** Keeps only what it names. With a member of an order that it does not name, it does not compile. */
function sanitizeOrder(
  orderId: string,
  {
    orderId: _,
    orderNumber,
    customer,
    language,
    currency,
    total,
    lines,
    test,
    isRefunded,
    notes: told,
    ...unnamed
  }: TranslatedOrder,
): TranslatedOrder {
  unnamed satisfies Record<string, never>;
  const notes = [...told];
  const fitted = {
    orderId,
    orderNumber: truncateText(orderNumber, MAX_LENGTHS.orderNumber) ?? orderId,
    customer: {
      email: sanitizeEmail(customer.email, notes),
      name: truncateText(customer.name, MAX_LENGTHS.name),
    },
    ...(language && { language: truncateText(language, MAX_LENGTHS.language) }),
    currency: truncateText(currency, MAX_LENGTHS.currency)?.toUpperCase() ?? null,
    total: sanitizeAmount('The total', total, notes),
    lines: lines.map((line, position) => sanitizeLine(line, `Line ${position + 1}`, notes)),
    test,
    ...(isRefunded && { isRefunded: true as const }),
  };
  return { ...fitted, notes: truncateNotes([...notes, ...describeOddAmounts(fitted)]) };
}

function sanitizeLine(
  { candidates, quantity, amount, title, listedIn, ...unnamed }: OrderLine,
  name: string,
  notes: string[],
): OrderLine {
  unnamed satisfies Record<string, never>;
  const countable = Number.isSafeInteger(quantity) && quantity >= 1;
  if (!countable) notes.push(`${name}: the quantity is not a whole number from 1 up, and was taken as 1.`);
  return {
    candidates: sanitizeCandidates(candidates),
    quantity: countable ? quantity : 1,
    amount: sanitizeAmount(`${name}: the amount`, amount, notes),
    title: truncateText(title, MAX_LENGTHS.name),
    ...sanitizeListed(listedIn),
  };
}

/** A text that is too long is not a name: truncated, it could name another product. */
function sanitizeListed(listedIn: string | undefined): Pick<OrderLine, 'listedIn'> {
  const text = cleanText(listedIn ?? '');
  return text !== null && text.length <= MAX_LENGTHS.sku ? { listedIn: text } : {};
}

function sanitizeCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const fitted = new Map<string, Candidate>();
  for (const { kind, value } of candidates) {
    const text = truncateText(value, MAX_LENGTHS.sku);
    const key = `${kind} ${text}`;
    if (text !== null && !fitted.has(key)) fitted.set(key, { kind, value: text });
  }
  return [...fitted.values()];
}

/** An address is never truncated: the rest could be another person's address. */
function sanitizeEmail(text: string | null, notes: string[]): string | null {
  const email = cleanText(text ?? '');
  if (email === null || email.length <= MAX_LENGTHS.email) return email;
  notes.push('The e-mail address is too long to be one.');
  return null;
}

function sanitizeAmount(name: string, text: string | null, notes: string[]): string | null {
  const clean = cleanText(text ?? '');
  if (clean === null) return null;
  const decimal = parseDecimal(clean);
  if (decimal) return formatDecimal(decimal);
  notes.push(`${name} "${cutText(clean, 40)}" is not a decimal number, and was left out.`);
  return null;
}

function truncateText(text: string | null, longest: number): string | null {
  const clean = cleanText(text ?? '');
  return clean === null ? null : cutText(clean, longest);
}

const MAX_NOTES = 20;

function truncateNotes(notes: readonly string[]): readonly string[] {
  return notes.slice(0, MAX_NOTES).flatMap((note) => truncateText(note, MAX_LENGTHS.sentence) ?? []);
}

/** Notes for the operator about unusual amounts of an order. None of them stops a delivery. */
function describeOddAmounts({
  currency,
  total,
  lines,
}: Pick<TranslatedOrder, 'currency' | 'total' | 'lines'>): readonly string[] {
  const amounts = [
    { name: 'The total', amount: total },
    ...lines.map(({ amount }, position) => ({ name: `Line ${position + 1}: the amount`, amount })),
  ];
  return [
    ...(total === null ? ['The order names no readable total.'] : []),
    ...(currency !== null && currencyDigits(currency) === null
      ? [`${currency} is not the code of a currency in circulation.`]
      : []),
    ...amounts.flatMap(({ name, amount }) => (amount === null ? [] : describeAmount(name, amount, currency))),
  ];
}

function describeAmount(name: string, amount: string, currency: string | null): readonly string[] {
  const decimal = parseDecimal(amount);
  // Nothing is nothing, however many zeros spell it.
  if (!decimal || decimal.units === 0n) return [];
  // A code that is not in circulation has no known number of digits.
  const digits = currency === null ? null : currencyDigits(currency);
  return [
    ...(decimal.units < 0n ? [`${name} ${amount} is negative.`] : []),
    ...(digits !== null && decimal.scale > digits
      ? [`${name} ${amount} has more decimals than ${currency} has.`]
      : []),
  ];
}
