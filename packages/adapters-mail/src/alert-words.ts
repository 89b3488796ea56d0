import type { AlertMail, AlertNotice, Platforms } from '@handover/domain';
import { numberWord } from './messages/en.ts';
import { oneLine } from './one-line.ts';

/** The sentences of an alert mail, shared by its HTML and plain-text parts. */
export interface AlertWords {
  readonly subject: string;
  /** The preview that mail programs show beside the subject. */
  readonly preview: string;
  readonly shop: string;
  readonly heading: string;
  readonly lead: string;
  readonly notices: readonly NoticeWords[];
  readonly more: string | null;
  /** The mail's one button. */
  readonly button: { readonly label: string; readonly url: string };
  readonly why: string;
}

export interface NoticeWords {
  readonly title: string;
  readonly reason: string;
  /** How to fix it. */
  readonly remedy: string;
  /** Who, where and when. */
  readonly facts: string;
  readonly url: string;
  readonly isOfMany: boolean;
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export function alertWords(mail: AlertMail, platforms: Platforms): AlertWords {
  const shop = oneLine(mail.organisationName, 100);
  const notices = mail.alerts.map((notice) => noticeWords(notice, platforms));
  const [first] = notices;
  const count = notices.length + mail.more;
  const isAlone = count === 1 && first;
  const heading = isAlone ? first.title : `${capitalised(numberWord(count))} deliveries failed`;
  return {
    subject: oneLine(`${heading} · ${shop}`, 150),
    preview: isAlone ? first.reason : notices.map(({ title }) => title).join('. '),
    shop,
    heading: `${heading}.`,
    lead: isAlone ? first.remedy : 'Each link below opens one of them, with what to do about it.',
    notices,
    more: mail.more > 0 ? `And ${mail.more} more. The webhook log shows all of them.` : null,
    button: isAlone
      ? { label: first.isOfMany ? 'See the deliveries' : 'Open the delivery', url: first.url }
      : { label: 'Open the webhook log', url: mail.logUrl },
    why: `This goes to you because you look after ${shop}. ${isAlone && first.isOfMany ? UNTIL : 'One mail per problem and day.'}`,
  };
}

function noticeWords(notice: AlertNotice, platforms: Platforms): NoticeWords {
  const vendor = notice.platform && platforms.vendorOf(notice.platform);
  return {
    title: titleWords(notice, vendor),
    reason: oneLine(notice.reason, 500),
    remedy: remedyWords(notice, vendor ?? 'the shop'),
    facts: [oneLine(notice.customerEmail ?? '', 120), vendor ?? '', `${TIME.format(notice.at)} UTC`]
      .filter((fact) => fact !== '')
      .join(' · '),
    url: notice.url,
    isOfMany: isOfMany(notice),
  };
}

/** Whether the alert is also about later ones of its kind: its page is a list. */
function isOfMany({ cause, orderNumber }: AlertNotice): boolean {
  return cause === 'rejected' || (cause === 'unreadable' && orderNumber === null);
}

function remedyWords({ cause }: AlertNotice, vendor: string): string {
  switch (cause) {
    case 'not-delivered':
      return 'Nothing reached the buyer. Fix this, then deliver again.';
    case 'receipt-refused':
      return 'The buyer has no link yet. Check the address, or reach the buyer in another way.';
    case 'unreadable':
      return `Nothing was delivered. Look the order up in ${vendor}, and record the sale by hand.`;
    case 'rejected':
      return `Nothing was delivered. Set the same secret here and in ${vendor}, then deliver what was rejected.`;
  }
}

const UNTIL = 'More like it cause no mail until this is delivered or dismissed, or a day has passed.';

function titleWords({ cause, orderNumber }: AlertNotice, vendor: string | null): string {
  const number = oneLine(orderNumber ?? '', 60);
  switch (cause) {
    case 'not-delivered':
      return `${number === '' ? 'An order' : `Order ${number}`} was not delivered`;
    case 'receipt-refused':
      return number === ''
        ? 'A receipt could not be mailed'
        : `The receipt of order ${number} could not be mailed`;
    case 'unreadable':
      return `${deliveryWords(vendor, number)} could not be read`;
    case 'rejected':
      return `${deliveryWords(vendor, number)} was rejected`;
  }
}

function deliveryWords(vendor: string | null, number: string): string {
  if (number === '') return vendor ? `A delivery from ${vendor}` : 'A delivery';
  return vendor ? `${vendor} order ${number}` : `Order ${number}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
