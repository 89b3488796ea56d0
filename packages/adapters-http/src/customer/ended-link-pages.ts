import { type DownloadPage, LINK_LIFETIME_MS } from '@handover/domain';
import { html } from 'ghtml';
import { barredIcon, clockIcon, mailIcon } from '../pages/icons.ts';
import { layout, shopHeader } from '../pages/layout.ts';
import { durationInWords } from '../pages/words.ts';
import { mailLink } from './mail-link.ts';

export function expiredPage(page: DownloadPage): string {
  const lifetime = durationInWords(LINK_LIFETIME_MS);
  return endedPage(page, {
    heading: 'This link has run out',
    tile: 'tile tile-held',
    icon: clockIcon,
    sentences: html`Links stop working ${lifetime} after they were last opened. What you bought is still yours: <strong><bdi>${page.productName}</bdi></strong>.`,
    answer: 'They will send you a new link.',
  });
}

export function revokedPage(page: DownloadPage): string {
  return endedPage(page, {
    heading: 'This link was withdrawn',
    tile: 'tile',
    icon: barredIcon,
    sentences: html`The shop has withdrawn this link to <strong><bdi>${page.productName}</bdi></strong>. If a newer one was mailed to you, that one works.`,
    answer: 'They can tell you more.',
  });
}

interface Ending {
  readonly heading: string;
  readonly tile: string;
  readonly icon: string;
  /** HTML. */
  readonly sentences: string;
  readonly answer: string;
}

function endedPage(page: DownloadPage, { heading, tile, icon, sentences, answer }: Ending): string {
  const { organisation, orderNumber, productName } = page;
  const link = mailLink(organisation.email, orderNumber ? `Order ${orderNumber}` : productName);
  return layout({
    title: `${heading} · ${organisation.name}`,
    header: shopHeader(organisation.name),
    main: html`<div class="card">
<span class="${tile}">!${icon}</span>
<h1>${heading}</h1>
<p class="lead">!${sentences}</p>
<div class="notice">!${mailIcon}<p>Write to !${link} and mention !${whatToMention(page)}. ${answer}</p></div>
</div>`,
  });
}

function whatToMention({ orderNumber }: DownloadPage): string {
  return orderNumber
    ? html`<strong>order <bdi>${orderNumber}</bdi></strong>`
    : html`the address you ordered with`;
}
