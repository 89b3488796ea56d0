import { type DownloadPage, LINK_LIFETIME_MS } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { showTime, type Wording, wordingOf } from '../messages/wording-of.ts';
import { PAGE_ASSETS } from '../pages/assets.ts';
import { boxIcon, clockIcon, plusIcon } from '../pages/icons.ts';
import { layout, shopHeader } from '../pages/layout.ts';
import { mailLink } from '../pages/mailto.ts';
import { fileList } from './file-list.ts';

/** The page behind a working link. `token` is part of its files' addresses. */
export function downloadPage(wording: Wording, page: DownloadPage, token: string, now: Date): Html {
  return writePage(wording, page, token, now, null);
}

/** The same page as a preview for the seller: without a link, its buttons are disabled. */
export function previewOfDownloadPage(page: ShownPage, backTo: string, now: Date): Html {
  const banner = html`<div class="notice" lang="en-GB">${boxIcon}<p><strong>This is a preview.</strong> Buyers see this page, with their own name. Its buttons do nothing here. <a href="${backTo}">Back to the product</a></p></div>`;
  return writePage(wordingOf(page.organisation.language), page, null, now, banner);
}

type ShownPage = Omit<
  DownloadPage,
  'linkId' | 'purchaseId' | 'createdAt' | 'revokedAt' | 'isReplaced' | 'usedAt'
>;

function writePage(
  wording: Wording,
  page: ShownPage,
  token: string | null,
  now: Date,
  banner: Html | null,
): Html {
  const { version } = page;
  const hasFiles = version !== null && version.files.length > 0;
  const { download } = wording.messages;
  const name = html`<bdi>${page.customer.name}</bdi>`;
  return layout({
    locale: wording.formats.locale,
    title: `${page.productName} · ${page.organisation.name}`,
    header: shopHeader(page.organisation.name),
    script: scriptFor(hasFiles, token),
    main: html`${banner}<div class="card">
<h1><bdi>${page.productName}</bdi></h1>
<p class="lead">${version ? download.versionFor(version.label, name) : download.for(name)}</p>
${hasFiles ? expiryNotice(wording, page, now) : noFilesNotice(wording, page, now)}
${hasFiles ? fileList(wording, page, version, token) : ''}
${newerVersionLine(wording, page)}
</div>
${aside(wording, page, hasFiles)}`,
  });
}

/** A preview runs none. */
function scriptFor(hasFiles: boolean, token: string | null): string | null {
  if (token === null) return null;
  return hasFiles ? PAGE_ASSETS.downloadScript.path : PAGE_ASSETS.pageScript.path;
}

function expiryNotice(wording: Wording, { expiresAt }: ShownPage, now: Date): Html {
  return html`<div class="notice">${clockIcon}<p>${expirySentences(wording, expiresAt, now)}</p></div>`;
}

function expirySentences(wording: Wording, expiresAt: Date, now: Date): Html {
  const { messages, formats } = wording;
  return messages.download.works({
    left: formats.duration(expiresAt.getTime() - now.getTime()),
    until: showTime(wording, expiresAt),
    lifetime: formats.duration(LINK_LIFETIME_MS),
  });
}

function noFilesNotice(wording: Wording, { organisation, expiresAt }: ShownPage, now: Date): Html {
  const { download, space } = wording.messages;
  return html`<div class="notice">${boxIcon}<div>
<p><strong>${download.notReady}</strong>${space}${download.notReadyWhy(html`<bdi>${organisation.name}</bdi>`)}</p>
<p>${expirySentences(wording, expiresAt, now)}</p>
</div></div>`;
}

/** The shop decides whether a purchase includes the new version, so the line names the shop's contact. */
function newerVersionLine(
  { messages }: Wording,
  { newerVersion, organisation, productName, version }: ShownPage,
): Html | null {
  if (newerVersion === null || !version) return null;
  const ask = mailLink(organisation.email, `${productName} ${newerVersion}`);
  return html`<p class="newer">${plusIcon}<span>${messages.download.newer(html`<bdi>${newerVersion}</bdi>`, ask)}</span></p>`;
}

function aside(
  { messages }: Wording,
  { organisation, orderNumber, productName }: ShownPage,
  hasFiles: boolean,
): Html {
  const subject = orderNumber ? messages.order(orderNumber) : productName;
  const advice = hasFiles ? `${messages.download.resume}${messages.space}` : '';
  return html`<footer class="aside">${advice}${messages.download.questions(mailLink(organisation.email, subject))}</footer>`;
}
