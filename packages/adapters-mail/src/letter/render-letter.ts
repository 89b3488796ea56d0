import { type Html, html, joinHtml } from '@handover/html';
import {
  INK,
  LEAD,
  LINE,
  MUTED,
  mailButton,
  mailLink,
  mailPage,
  mailTop,
  type RenderedMail,
  SMALL,
} from '../mail-page.ts';
import type { ItemGroup, ItemWords, LetterWords } from './letter-words.ts';

const LINK = '#2759d6';
/**
 * More links would fill the page with addresses, and some programs would truncate it. The plain text has
 * all of them.
 */
const MAX_PASTED = 10;
const TABLE = html`role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;

/** A mail with a buyer's links, as HTML and as plain text. */
export function renderLetter(words: LetterWords): RenderedMail {
  return { subject: words.subject, html: String(letterHtml(words)), text: letterText(words) };
}

/** Tables and inline styles, since mail programs support those. */
function letterHtml(words: LetterWords): Html {
  const items = words.groups.flatMap((group) => group.items);
  const [first, ...others] = items;
  // Beside a library, one link is one of a list, too.
  const alone = others.length === 0 && !words.library ? first : undefined;
  const card = html`
    ${mailTop(words.shop, heading(words))}
    <p style="margin:0 0 24px;${LEAD}">${words.lead('button')}</p>
    ${words.library && html`${mailButton(words.library.url, words.library.label)}<div style="height:20px;line-height:20px">&nbsp;</div>`}
    ${alone ? mailButton(alone.url, alone.button) : words.groups.map((group) => itemGroup(group, words.library === null))}
    ${alone || items.length === 0 ? '' : html`<div style="${LINE};font-size:0;line-height:0">&nbsp;</div>`}
    <p style="margin:20px 0 0;${SMALL};text-wrap:wrap">${joinHtml([...words.lifetime, renewal(words)], html`<br>`)}</p>
    ${alone ? summary(alone) : ''}
    ${words.order ? html`<p style="margin:12px 0 0;${SMALL}">${words.order}</p>` : ''}`;
  return mailPage({
    locale: words.locale,
    title: words.subject,
    preview: words.preview,
    card,
    below: footer(words, items),
  });
}

/** Its second sentence begins a line of its own where both do not fit on one, so that no line ends within a product's name. */
function heading({ heading, space }: LetterWords): Html {
  const [only, ...others] = heading;
  if (others.length === 0) return html`${only ?? ''}`;
  return joinHtml(
    heading.map((sentence) => html`<span style="display:inline-block">${sentence}</span>`),
    html`${space}`,
  );
}

function renewal({ renewal: { sentence, url } }: LetterWords): Html {
  return html`${sentence} <a href="${url}" style="color:${LINK};text-decoration:underline">${url.replace(/^https?:\/\//, '')}</a>`;
}

function smallButton({ url, spokenButton, shortButton }: ItemWords, isPrimary: boolean): Html {
  const [ground, ink] = isPrimary ? ['#1e212a', '#fcfcfc'] : ['#ffffff', INK];
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" align="right"><tr>
      <td bgcolor="${ground}" style="border-radius:8px;border:1px solid ${isPrimary ? ground : '#d0d2d8'};background-color:${ground};mso-padding-alt:10px 16px">
        <a href="${url}" aria-label="${spokenButton}" style="display:inline-block;padding:10px 16px;border-radius:8px;font-size:14px;line-height:24px;font-weight:600;color:${ink};text-decoration:none">${shortButton}</a>
      </td></tr></table>`;
}

function summary({ title, files, aside }: ItemWords): Html {
  const asideCell = html`<td align="right" valign="top" style="padding:20px 0 0 16px;${LINE};font-size:14px;line-height:22px;color:${INK};white-space:nowrap">${aside}</td>`;
  return html`<table ${TABLE} style="margin-top:26px"><tr>
      <td valign="top" style="padding-top:20px;${LINE};font-size:14px;line-height:22px;font-weight:600;color:${INK};overflow-wrap:anywhere">${title}</td>
      ${aside ? asideCell : ''}
    </tr></table>
    <p style="margin:4px 0 0;${SMALL}">${files}</p>`;
}

function itemGroup({ shop, items }: ItemGroup, isPrimary: boolean): Html {
  return html`${shop ? shopHeading(shop) : ''}<table ${TABLE}>${items.map((item) => itemRow(item, isPrimary))}</table>`;
}

function shopHeading({ name, replyTo }: NonNullable<ItemGroup['shop']>): Html {
  const write =
    replyTo &&
    html`, <a href="mailto:${encodeURIComponent(replyTo).replaceAll('%40', '@')}" style="color:${LINK};text-decoration:underline">${replyTo}</a>`;
  return html`<h2 style="margin:20px 0 10px;font-size:14px;line-height:20px;font-weight:600;color:${INK}">${name}<span style="font-size:13px;font-weight:400;color:${MUTED}">${write}</span></h2>`;
}

/** Where another button opens all of them, theirs are not primary. */
function itemRow(item: ItemWords, isPrimary: boolean): Html {
  const aside = item.aside && html`\u00a0· <span style="display:inline-block">${item.aside}</span>`;
  return html`<tr class="row">
      <td valign="middle" style="padding:14px 16px 14px 0;${LINE};overflow-wrap:anywhere">
        <div style="font-size:15px;line-height:22px;font-weight:600;color:${INK}">${item.title}</div>
        <div style="${SMALL}">${item.files}${aside}</div>
      </td>
      <td class="press" valign="middle" align="right" style="padding:14px 0;${LINE};white-space:nowrap">${smallButton(item, isPrimary)}</td>
    </tr>`;
}

function footer({ help, paste, library }: LetterWords, items: readonly ItemWords[]): Html {
  const alone = items.length === 1;
  const pasted = items.length > MAX_PASTED ? [] : items;
  const links = library
    ? mailLink(library.url)
    : pasted.map(({ title, url }) => mailLink(url, alone ? null : title));
  return html`${help.map((sentence) => html`<p style="margin:0;${SMALL}">${sentence}</p>`)}
    ${library || pasted.length > 0 ? html`<p style="margin:0;${SMALL}">${paste}</p>` : ''}${links}`;
}

/** The plain-text part: the same sentences. */
function letterText(words: LetterWords): string {
  const paragraphs = [
    words.heading.join(words.space),
    words.lead('link'),
    words.library?.url ?? '',
    ...words.groups.flatMap(groupText),
    [...words.lifetime, `${words.renewal.sentence} ${words.renewal.url}`].join('\n'),
    words.order ?? '',
    words.help.join('\n'),
    `-- \n${words.shop}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function groupText({ shop, items }: ItemGroup): string[] {
  const heading = shop && [shop.name, ...(shop.replyTo === null ? [] : [shop.replyTo])].join(', ');
  return [...(heading ? [heading] : []), ...items.map(itemText)];
}

function itemText({ title, files, aside, url }: ItemWords): string {
  return [title, files, ...(aside ? [aside] : []), url].join('\n');
}
