import type { DownloadLinkEmail, DownloadLinkEmailItem } from '@handover/domain';
import type { RenderedMail } from '../mail-page.ts';
import { oneLine } from '../one-line.ts';
import {
  firstName,
  type ItemGroup,
  itemWords,
  type LetterWords,
  leadWords,
  lifetimeWords,
  messagesOf,
  nameOf,
  orderWords,
  previewWords,
  type Wording,
  wordingOf,
} from './letter-words.ts';
import { renderLetter } from './render-letter.ts';

/** Renders the mail with a buyer's new links. */
export function renderDownloadLinkEmail(mail: DownloadLinkEmail): RenderedMail {
  return renderLetter(downloadLinkEmailWords(mail));
}

/** The sentences of a mail with new links. */
function downloadLinkEmailWords(mail: DownloadLinkEmail): LetterWords {
  const wording = wordingOf(mail);
  const { messages, formats } = wording;
  const items = mail.shops.flatMap((shop) => shop.items);
  const [only] = items.length === 1 ? items : [];
  const lifetime = lifetimeWords(wording, items, mail.worksUntil);
  return {
    locale: formats.locale,
    subject: subjectWords(wording, mail, items),
    preview: previewWords(wording, items, lifetime),
    shop: senderName(mail),
    heading: [messages.links.heading(firstName(mail.to), items.length)],
    space: messages.space,
    lead: (opener) => leadSentences(wording, mail, items, opener),
    groups: groupItems(wording, mail),
    library: mail.libraryUrl ? { label: messages.links.library, url: mail.libraryUrl } : null,
    lifetime,
    renewal: { sentence: messages.renewal, url: mail.myUrl },
    order: only ? orderOf(wording, only) : null,
    help: helpWords(wording, mail),
    paste: only || mail.libraryUrl ? messages.pasteOne : messages.pasteMany,
  };
}

function subjectWords(
  { messages: { links } }: Wording,
  mail: DownloadLinkEmail,
  items: readonly DownloadLinkEmailItem[],
): string {
  const [only] = items;
  if (items.length === 1 && only) return oneLine(links.subjectOne(nameOf(only)), 150);
  return mail.shops.length === 1 ? links.subjectShop(senderName(mail)) : links.subjectAll;
}

function leadSentences(
  wording: Wording,
  { leftOut, libraryUrl }: DownloadLinkEmail,
  items: readonly DownloadLinkEmailItem[],
  opener: 'button' | 'link',
): string {
  const { space, links } = wording.messages;
  const lead = libraryUrl ? links.leadLibrary : leadWords(wording, items, opener);
  return leftOut ? `${lead}${space}${links.newestOnly(items.length)}` : lead;
}

function groupItems(wording: Wording, { shops }: DownloadLinkEmail): readonly ItemGroup[] {
  const alone = shops.length === 1 && shops[0]?.items.length === 1;
  return shops.map(({ name, replyTo, items }) => ({
    shop: shops.length === 1 ? null : { name: oneLine(name, 100), replyTo },
    items: items.map((item) => itemWords(wording, item, alone ? null : orderOf(wording, item))),
  }));
}

function helpWords({ messages }: Wording, { shops }: DownloadLinkEmail): readonly string[] {
  const [only] = shops;
  const isAnswered = shops.some(({ replyTo }) => replyTo !== null);
  const ask =
    shops.length === 1 && only ? messages.replyToShop(oneLine(only.name, 100)) : messages.writeToShop;
  return [...(isAnswered ? [ask] : []), messages.notAsked];
}

function orderOf(wording: Wording, { orderNumber, boughtAt }: DownloadLinkEmailItem): string {
  return orderWords(wording, { orderNumber, orderedAt: boughtAt });
}

/** The shop's name if all items are from one shop; otherwise a neutral name. */
export function senderName({ language, shops }: Pick<DownloadLinkEmail, 'language' | 'shops'>): string {
  const [only] = shops;
  return shops.length === 1 && only ? oneLine(only.name, 100) : messagesOf(language).myDownloads;
}
