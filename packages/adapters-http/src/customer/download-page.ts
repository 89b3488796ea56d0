import { type DownloadPage, LINK_LIFETIME_MS } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { ASSET_PATHS } from '../pages/assets.ts';
import { boxIcon, clockIcon, plusIcon } from '../pages/icons.ts';
import { layout, shopHeader } from '../pages/layout.ts';
import { formatDuration, formatWeekday } from '../pages/words.ts';
import { fileList } from './file-list.ts';
import { mailLink } from './mail-link.ts';

/** The page behind a working link. `token` is part of its files' addresses. */
export function downloadPage(page: DownloadPage, token: string, now: Date): Html {
  return writePage(page, token, now, null);
}

/** The same page as a preview for the seller: without a link, its buttons are disabled. */
export function previewOfDownloadPage(page: ShownPage, backTo: string, now: Date): Html {
  const banner = html`<div class="notice">${boxIcon}<p><strong>This is a preview.</strong> Buyers see this page, with their own name. Its buttons do nothing here. <a href="${backTo}">Back to the product</a></p></div>`;
  return writePage(page, null, now, banner);
}

type ShownPage = Omit<DownloadPage, 'linkId' | 'purchaseId' | 'revokedAt' | 'usedAt'>;

function writePage(page: ShownPage, token: string | null, now: Date, banner: Html | null): Html {
  const { version } = page;
  const hasFiles = version !== null && version.files.length > 0;
  return layout({
    title: `${page.productName} · ${page.organisation.name}`,
    header: shopHeader(page.organisation.name),
    script: hasFiles && token !== null ? ASSET_PATHS.downloadScript : null,
    main: html`${banner}<div class="card">
<h1><bdi>${page.productName}</bdi></h1>
<p class="lead">${version ? `Version ${version.label}, for ` : 'For '}<bdi>${page.customer.name}</bdi></p>
${hasFiles ? expiryNotice(page, now) : noFilesNotice(page, now)}
${hasFiles ? fileList(page, version, token) : ''}
${newerVersionLine(page)}
</div>
${aside(page, hasFiles)}`,
  });
}

function expiryNotice({ expiresAt }: ShownPage, now: Date): Html {
  return html`<div class="notice">${clockIcon}<p>${expirySentences(expiresAt, now)}</p></div>`;
}

function expirySentences(expiresAt: Date, now: Date): Html {
  const left = formatDuration(expiresAt.getTime() - now.getTime());
  return html`This link works for <strong>another ${left}</strong>, until <time datetime="${expiresAt.toISOString()}">${formatWeekday(expiresAt)}</time>. Every time you open it, the ${formatDuration(LINK_LIFETIME_MS)} start again.`;
}

function noFilesNotice({ organisation, expiresAt }: ShownPage, now: Date): Html {
  return html`<div class="notice">${boxIcon}<div>
<p><strong>The files are not ready yet.</strong> What you bought is yours, and it will be here as soon as <bdi>${organisation.name}</bdi> has uploaded it. Open this link again later.</p>
<p>${expirySentences(expiresAt, now)}</p>
</div></div>`;
}

/** The shop decides whether a purchase includes the new version, so the line names the shop's contact. */
function newerVersionLine({ newerVersion, organisation, productName, version }: ShownPage): Html | null {
  if (newerVersion === null || !version) return null;
  const ask = mailLink(organisation.email, `${productName} ${newerVersion}`);
  return html`<p class="newer">${plusIcon}<span>Version <bdi>${newerVersion}</bdi> is available. To get it, write to ${ask}.</span></p>`;
}

function aside({ organisation, orderNumber, productName }: ShownPage, hasFiles: boolean): Html {
  const subject = orderNumber ? `Order ${orderNumber}` : productName;
  const advice = hasFiles
    ? 'If a download breaks off, press Resume in your browser: it goes on where it stopped. '
    : '';
  return html`<footer class="aside">${advice}Questions? ${mailLink(organisation.email, subject)}</footer>`;
}
