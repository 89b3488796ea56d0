import type { ActivityEntry } from './activity.ts';
import { localPart, normalizeEmail } from './email-address.ts';
import type { Customer } from './purchase.ts';

/** Everything that erasing a buyer writes. */
export interface Erasure {
  readonly customerId: string;
  /** Of the revocation of the buyer's links. */
  readonly revocationId: string;
  readonly entry: ActivityEntry;
}

/**
 * `order-waits`, `mail-waits`: an order of the buyer, or one that came in the same request, is pending, held or has an unmatched
 * SKU, or a mail to the buyer is on its way. Nothing is erased then, because the order or the mail would be lost.
 */
export type EraseCustomerResult =
  | 'erased'
  | 'erased-before'
  | 'order-waits'
  | 'mail-waits'
  | 'unknown-customer';

/** What takes the place of a buyer's name and address. No mail can be sent to `.invalid`: RFC 2606 reserves it. */
export function eraseIdentity({ id }: Pick<Customer, 'id'>): Pick<Customer, 'email' | 'name'> {
  return { email: `erased-${id.toLowerCase()}${ERASED}`, name: 'Erased buyer' };
}

/** How the address of every erased buyer ends. */
export const ERASED = '@erased.invalid';

/** Whether the buyer with this address was erased. */
export function isErased(email: string): boolean {
  return email.endsWith(ERASED);
}

/**
 * A sentence of the activity log without these customers. A reason that somebody typed goes whole where the entry is about the
 * buyer (`isOfBuyer`) or names them: it may call them something else.
 */
export function withoutBuyersIn(
  { kind, summary }: Pick<ActivityEntry, 'kind' | 'summary'>,
  isOfBuyer: boolean,
  customers: readonly Pick<Customer, 'email' | 'name'>[],
): string {
  const rest = withoutBuyers(summary, customers);
  if (kind !== 'action-item-dismissed' || !(isOfBuyer || rest !== summary)) return rest;
  const at = rest.indexOf(REASON);
  return at < 0 ? rest : `${rest.slice(0, at)}${REASON}[erased]`;
}

/** Between what was dismissed and why. */
export const REASON = ' Reason: ';

/** What takes the place of the reason of a dismissal. */
export const ERASED_REASON = 'Erased with the buyer.';

/** Entries about action items name buyers although they are about the organisation. */
export const NAMING_BUYERS = ['action-item-dismissed', 'action-item-restored'] as const;

/**
 * A text without the names and addresses of these customers, in any spelling of capitals, and without what a mail server said about
 * the box of one.
 */
export function withoutBuyers(text: string, customers: readonly Pick<Customer, 'email' | 'name'>[]): string {
  const spellings = new Set(customers.flatMap(({ email, name }) => [email, normalizeEmail(email), name]));
  const rest = [...spellings].filter((spelling) => spelling.trim() !== '').reduce(withoutWord, text);
  return customers.map(({ email }) => localPart(email)).reduce(withoutQuoteOf, rest);
}

function withoutQuoteOf(text: string, box: string): string {
  return text.replace(/“[^“”]*”/g, (quote) => (withoutWord(quote, box) === quote ? quote : '“[erased]”'));
}

/** A short name is not found within other words. */
function withoutWord(text: string, word: string): string {
  const [folded, sought] = [foldCase(text), foldCase(word)];
  let rest = '';
  let from = 0;
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const isWithin = ENDS.test(text.slice(Math.max(0, at - 2), at)) || BEGINS.test(text.slice(end, end + 2));
    if (at < from || isWithin) continue;
    rest += `${text.slice(from, at)}[erased]`;
    from = end;
  }
  return rest + text.slice(from);
}

const ENDS = /[\p{L}\p{N}]$/u;
const BEGINS = /^[\p{L}\p{N}]/u;

/** In small letters, each at its place: some letters are longer then, and stay. */
function foldCase(text: string): string {
  return [...text]
    .map((letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('');
}

/** What becomes of a reason that may quote the buyer, or a mail server about the buyer. */
export function withoutQuotes(reason: string | null): string | null {
  return reason && /[@“]/.test(reason) ? 'The buyer was erased, and with it what this said.' : reason;
}
