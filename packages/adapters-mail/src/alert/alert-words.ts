import type { AlertMail, AlertNotice, Platforms } from '@handover/domain';
import { numberWord } from '../messages/en.ts';
import { oneLine } from '../one-line.ts';

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
    lead: isAlone ? first.remedy : 'Each of them is in the webhook log, with what to do about it.',
    notices,
    more: mail.more > 0 ? `And ${mail.more} more. The webhook log shows all of them.` : null,
    button: isAlone
      ? { label: 'Open the delivery', url: first.url }
      : { label: 'Open the webhook log', url: mail.logUrl },
    why: `This goes to you because you look after ${shop}. One mail per problem.`,
  };
}

function noticeWords(notice: AlertNotice, platforms: Platforms): NoticeWords {
  return {
    title: titleWords(notice, platforms),
    reason: oneLine(notice.reason, 500),
    remedy: REMEDIES[notice.cause],
    facts: [
      oneLine(notice.customerEmail ?? '', 120),
      notice.platform ? platforms.vendorOf(notice.platform) : '',
      `${TIME.format(notice.at)} UTC`,
    ]
      .filter((fact) => fact !== '')
      .join(' · '),
    url: notice.url,
  };
}

const REMEDIES = {
  'not-delivered': 'Nothing reached the buyer. Fix this, then deliver again.',
  'receipt-refused': 'The buyer has no link yet. Check the address, or reach the buyer in another way.',
  unreadable: 'Nothing was delivered. Look the order up at the platform, and record the sale by hand.',
} as const;

function titleWords({ cause, orderNumber, platform }: AlertNotice, platforms: Platforms): string {
  const number = oneLine(orderNumber ?? '', 60);
  const order = number === '' ? 'An order' : `Order ${number}`;
  switch (cause) {
    case 'not-delivered':
      return `${order} was not delivered`;
    case 'receipt-refused':
      return number === ''
        ? 'A receipt could not be mailed'
        : `The receipt of order ${number} could not be mailed`;
    case 'unreadable':
      return `A delivery${platform ? ` from ${platforms.vendorOf(platform)}` : ''} could not be read`;
  }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
