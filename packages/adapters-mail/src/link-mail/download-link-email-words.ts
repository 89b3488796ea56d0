import type { DownloadLinkEmail, DownloadLinkEmailItem } from '@handover/domain';
import {
  filesInAll,
  type ItemGroup,
  itemWords,
  type LetterWords,
  leadWords,
  lifetimeWords,
  nameOf,
  orderWords,
  renewalWords,
} from '../letter/letter-words.ts';
import { oneLine } from '../one-line.ts';
import { firstName } from '../receipt/first-name.ts';

/** The sentences of a mail with new links. */
export function downloadLinkEmailWords(mail: DownloadLinkEmail): LetterWords {
  const items = mail.shops.flatMap((shop) => shop.items);
  const [only] = items.length === 1 ? items : [];
  const lifetime = lifetimeWords(items);
  return {
    subject: subjectWords(mail, items),
    preview: [filesInAll(items), ...lifetime].join(' '),
    shop: senderName(mail),
    heading: headingWords(mail, items),
    lead: (opener) => leadSentences(mail, items, opener),
    groups: groupItems(mail),
    lifetime,
    renewal: renewalWords(mail.myUrl),
    order: only ? orderOf(only) : null,
    help: helpWords(mail),
  };
}

function subjectWords(mail: DownloadLinkEmail, items: readonly DownloadLinkEmailItem[]): string {
  const [only] = items;
  if (items.length === 1 && only) return oneLine(`Your new link: ${nameOf(only)}`, 150);
  return mail.shops.length === 1 ? `Your new links from ${senderName(mail)}` : 'Your new links';
}

function headingWords({ to }: DownloadLinkEmail, items: readonly DownloadLinkEmailItem[]): string {
  const name = firstName(to);
  const links = items.length === 1 ? 'Here is your new link' : 'Here are your new links';
  return `${links}${name ? `, ${name}` : ''}.`;
}

function leadSentences(
  { leftOut }: DownloadLinkEmail,
  items: readonly DownloadLinkEmailItem[],
  opener: 'button' | 'link',
): string {
  const lead = leadWords(items, opener);
  return leftOut
    ? `${lead} These are the ${items.length} products you bought last; write to the shop for older ones.`
    : lead;
}

function groupItems({ shops }: DownloadLinkEmail): readonly ItemGroup[] {
  const alone = shops.length === 1 && shops[0]?.items.length === 1;
  return shops.map(({ name, replyTo, items }) => ({
    shop: shops.length === 1 ? null : { name: oneLine(name, 100), replyTo },
    items: items.map((item) => itemWords(item, alone ? null : orderOf(item))),
  }));
}

function helpWords({ shops }: DownloadLinkEmail): readonly string[] {
  const [only] = shops;
  const answered = shops.filter(({ replyTo }) => replyTo !== null);
  const ask =
    shops.length === 1 && only
      ? `Something wrong? Just reply, a person at ${oneLine(only.name, 100)} reads it.`
      : 'Something wrong? Write to the shop; its address is next to its name.';
  return [
    ...(answered.length > 0 ? [ask] : []),
    'You did not ask for this? Ignore this mail: it was sent only to you.',
  ];
}

function orderOf({ orderNumber, boughtAt }: DownloadLinkEmailItem): string {
  return orderWords({ orderNumber, orderedAt: boughtAt });
}

/** The shop's name if all items are from one shop; otherwise a neutral name. */
export function senderName({ shops }: Pick<DownloadLinkEmail, 'shops'>): string {
  const [only] = shops;
  return shops.length === 1 && only ? oneLine(only.name, 100) : 'My downloads';
}
