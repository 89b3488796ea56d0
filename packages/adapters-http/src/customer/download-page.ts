import { type DownloadPage, LINK_LIFETIME_MS, type ProductFile } from '@handover/domain';
import { html } from 'ghtml';
import { boxIcon, chevronIcon, clockIcon, downloadIcon } from '../pages/icons.ts';
import { layout, shopHeader } from '../pages/layout.ts';
import { durationInWords, sizeInWords } from '../pages/words.ts';
import { mailLink } from './mail-link.ts';

/** The page behind a working link. `token` makes the addresses of its files. */
export function downloadPage(page: DownloadPage, token: string, now: Date): string {
  const { version } = page;
  const files = version?.files ?? [];
  return layout({
    title: `${page.productName} · ${page.organisation.name}`,
    header: shopHeader(page.organisation.name),
    main: html`<div class="card">
<h1><bdi>${page.productName}</bdi></h1>
<p class="lead">${page.version ? `Version ${page.version.label}, for ` : 'For '}<bdi>${page.customer.name}</bdi></p>
!${files.length > 0 ? expiryNotice(page, now) : noFilesNotice(page, now)}
!${version && files.length > 0 ? fileList(version, token) : ''}
</div>
!${aside(page, files.length > 0)}`,
  });
}

function expiryNotice({ expiresAt }: DownloadPage, now: Date): string {
  return html`<div class="notice">!${clockIcon}<p>!${expirySentences(expiresAt, now)}</p></div>`;
}

function expirySentences(expiresAt: Date, now: Date): string {
  const left = durationInWords(expiresAt.getTime() - now.getTime());
  return html`This link works for <strong>another ${left}</strong>. Every time you open it, the ${durationInWords(LINK_LIFETIME_MS)} start again.`;
}

function noFilesNotice({ organisation, expiresAt }: DownloadPage, now: Date): string {
  return html`<div class="notice">!${boxIcon}<div>
<p><strong>The files are not ready yet.</strong> What you bought is yours, and it will be here as soon as <bdi>${organisation.name}</bdi> has put it up. Open this link again later.</p>
<p>!${expirySentences(expiresAt, now)}</p>
</div></div>`;
}

function fileList({ label, files }: NonNullable<DownloadPage['version']>, token: string): string {
  const at = `/d/${encodeURIComponent(token)}/files/${encodeURIComponent(label)}`;
  // One button can be the primary one; among equals none is.
  const button = files.length === 1 ? 'button button-primary' : 'button';
  return html`<ul class="files" aria-label="Files">
!${files.map((file) => fileRow(file, at, button))}
</ul>`;
}

function fileRow({ name, size, sha256 }: ProductFile, at: string, button: string): string {
  const address = `${at}/${encodeURIComponent(name)}`;
  return html`<li class="file">
<div class="file-name"><h2><bdi>${name}</bdi></h2><p class="meta">${sizeInWords(size)}</p></div>
<a class="${button}" href="${address}">!${downloadIcon}Download<span class="hidden"> ${name}</span></a>
<details class="check"><summary>!${chevronIcon}Check the file (SHA-256)</summary><code>!${groupHash(sha256)}</code></details>
</li>`;
}

/** In groups for the eye, but copied as one word, as every tool for checking prints it. */
function groupHash(sha256: string): string {
  return (sha256.match(/.{1,8}/g) ?? []).map((group) => html`<span>${group}</span><wbr>`).join('');
}

function aside({ organisation, orderNumber, productName }: DownloadPage, hasFiles: boolean): string {
  const subject = orderNumber ? `Order ${orderNumber}` : productName;
  const advice = hasFiles ? 'If a download breaks off, press its button again. ' : '';
  return html`<footer class="aside">${advice}Questions? !${mailLink(organisation.email, subject)}</footer>`;
}
