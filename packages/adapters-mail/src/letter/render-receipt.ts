import {
  currencyDigits,
  type Formats,
  parseDecimal,
  type ReceiptItem,
  type ReceiptMail,
} from '@handover/domain';
import type { RenderedMail } from '../mail-page.ts';
import { oneLine } from '../one-line.ts';
import {
  firstName,
  hasFiles,
  itemWords,
  type LetterWords,
  leadWords,
  lifetimeWords,
  nameOf,
  orderWords,
  previewWords,
  type Wording,
  wordingOf,
} from './letter-words.ts';
import { renderLetter } from './render-letter.ts';

/** Renders the mail with a buyer's links. */
export function renderReceipt(mail: ReceiptMail): RenderedMail {
  return renderLetter(receiptWords(mail));
}

/** The sentences of the receipt. */
function receiptWords(mail: ReceiptMail): LetterWords {
  const wording = wordingOf(mail);
  const { messages, formats } = wording;
  const shop = oneLine(mail.organisation.name, 100);
  const lifetime = lifetimeWords(wording, mail.items, mail.worksUntil);
  const items = mail.items.map((item) => itemWords(wording, item, formatPrice(formats, item)));
  return {
    locale: formats.locale,
    subject: subjectWords(wording, mail.items, shop),
    preview: previewWords(wording, mail.items, lifetime),
    shop,
    heading: headingSentences(wording, mail),
    space: messages.space,
    lead: (opener) => leadWords(wording, mail.items, opener),
    groups: [{ shop: null, items }],
    library: null,
    lifetime,
    renewal: { sentence: messages.renewal, url: mail.myUrl },
    order: orderWords(wording, mail),
    help: mail.organisation.replyTo === null ? [] : [messages.replyToShop(shop)],
    paste: items.length === 1 ? messages.pasteOne : messages.pasteMany,
  };
}

function subjectWords({ messages }: Wording, items: readonly ReceiptItem[], shop: string): string {
  const { receipt } = messages;
  const [first, second, ...others] = items.map(nameOf);
  if (first !== undefined && second === undefined) return oneLine(receipt.subjectOne(first), 150);
  if (first === undefined || second === undefined || others.length > 0) return receipt.subjectShop(shop);
  const both = receipt.subjectTwo(first, second);
  return both.length <= 70 ? both : receipt.subjectShop(shop);
}

function headingSentences({ messages }: Wording, { to, items }: ReceiptMail): readonly string[] {
  const thanks = messages.receipt.thanks(firstName(to));
  const ready = readyWords(messages.receipt, items);
  return ready === null ? [thanks] : [thanks, ready];
}

function readyWords(messages: Wording['messages']['receipt'], items: readonly ReceiptItem[]): string | null {
  const [only] = items;
  if (!only) return null;
  const ready = items.every(hasFiles);
  if (items.length === 1) return ready ? messages.readyOne(nameOf(only)) : messages.yoursOne(nameOf(only));
  return ready ? messages.readyMany(items.length) : messages.yoursMany(items.length);
}

/**
 * `49.00 EUR`, or null where the amount is unknown: a platform that names no amount leaves 0, and some name
 * no currency, or one that does not exist.
 */
function formatPrice(
  formats: Formats,
  { amount, currency }: { readonly amount: string; readonly currency: string | null },
): string | null {
  const decimal = parseDecimal(amount);
  const isKnown = currency !== null && currencyDigits(currency) !== null;
  return decimal && decimal.units > 0n && isKnown ? `${formats.amount(amount, currency)} ${currency}` : null;
}
