import type { ReceiptItem, ReceiptMail } from '@handover/domain';
import {
  filesInAll,
  hasFiles,
  itemWords,
  type LetterWords,
  leadWords,
  lifetimeWords,
  nameOf,
  orderWords,
  renewalWords,
} from '../letter/letter-words.ts';
import { oneLine } from '../one-line.ts';
import { firstName } from './first-name.ts';
import { formatAmount, numberWord } from './metrics.ts';

/** The sentences of the receipt. */
export function receiptWords(mail: ReceiptMail): LetterWords {
  const shop = oneLine(mail.organisation.name, 100);
  const name = firstName(mail.to);
  const canReply = mail.organisation.replyTo !== null;
  const lifetime = lifetimeWords(mail.items);
  return {
    subject: subjectWords(mail.items, shop),
    preview: [filesInAll(mail.items), ...lifetime].join(' '),
    shop,
    heading: `Thank you${name ? `, ${name}` : ''}. ${readyWords(mail.items)}`.trim(),
    lead: (opener) => leadWords(mail.items, opener),
    groups: [{ shop: null, items: mail.items.map((item) => itemWords(item, formatAmount(item))) }],
    lifetime,
    renewal: renewalWords(mail.myUrl),
    order: orderWords(mail),
    help: canReply ? [`Something wrong? Just reply, a person at ${shop} reads it.`] : [],
  };
}

function subjectWords(items: readonly ReceiptItem[], shop: string): string {
  const names = items.map(nameOf);
  if (names.length === 1) return oneLine(`Your download: ${names[0]}`, 150);
  const both = `Your downloads: ${names.join(' and ')}`;
  return names.length === 2 && both.length <= 70 ? both : `Your downloads from ${shop}`;
}

function readyWords(items: readonly ReceiptItem[]): string {
  const [only] = items;
  if (!only) return '';
  const ready = items.every(hasFiles);
  if (items.length === 1) return `${nameOf(only)} is ${ready ? 'ready' : 'yours'}.`;
  const products = `${numberWord(items.length)} products`;
  return ready ? `Your ${products} are ready.` : `These ${products} are yours.`;
}
