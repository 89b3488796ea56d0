import type { DownloadPage, ProductFile } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { checkIcon, chevronIcon, downloadIcon } from '../pages/icons.ts';
import { formatSize } from '../pages/words.ts';

/**
 * The files behind a link, as plain links; without a token, as disabled buttons. The page's script shows
 * the hidden elements while it follows a download; without the script they stay hidden.
 */
export function fileList(
  { orgId }: Pick<DownloadPage, 'orgId'>,
  { label, files }: NonNullable<DownloadPage['version']>,
  token: string | null,
): Html {
  if (token === null) return html`<ul class="files" aria-label="Files">${files.map(shownRow)}</ul>`;
  const page = `/d/${encodeURIComponent(token)}`;
  const at = `${page}/files/${encodeURIComponent(label)}`;
  // A single file has a primary button; of several files none has.
  const button = files.length === 1 ? 'button button-primary' : 'button';
  return html`<ul class="files" aria-label="Files" data-progress="${page}/progress" data-complete="/webhooks/${orgId}/download-complete" data-token="${token}">
${files.map((file, position) => fileRow(file, { at, button, label, id: `file-${position}` }))}
</ul>
<p class="hidden" role="status" data-status></p>`;
}

interface Row {
  readonly at: string;
  readonly button: string;
  readonly label: string;
  readonly id: string;
}

function fileRow({ name, size, sha256 }: ProductFile, { at, button, label, id }: Row): Html {
  const address = `${at}/${encodeURIComponent(name)}`;
  const hiddenName = html`<span class="hidden"> ${name}</span>`;
  return html`<li class="file" data-name="${name}" data-version="${label}" data-size="${size}">
<div class="file-name"><h2 id="${id}" tabindex="-1"><bdi>${name}</bdi></h2><p class="meta">${formatSize(size)}<span data-part="again" hidden> · <a href="${address}">Download again${hiddenName}</a></span></p></div>
<a class="${button}" href="${address}" data-part="button">${downloadIcon}Download${hiddenName}</a>
<p class="percent" data-part="percent" hidden></p>
<p class="badge badge-success" data-part="whole" hidden>${checkIcon}Sent whole</p>
<div class="sending" data-part="sending" hidden><progress max="100" value="0" aria-labelledby="${id}" data-part="bar"></progress><p class="meta"><span data-part="sent"></span><span data-part="left"></span></p></div>
<p class="stopped" data-part="stopped" hidden><strong data-part="how-far"></strong> To go on from there, press Resume in your browser’s list of downloads. The button begins again.</p>
<details class="check"><summary>${chevronIcon}Check the file (SHA-256)</summary><code>${groupHash(sha256)}</code></details>
</li>`;
}

function shownRow({ name, size, sha256 }: ProductFile): Html {
  return html`<li class="file"><div class="file-name"><h2><bdi>${name}</bdi></h2><p class="meta">${formatSize(size)}</p></div>
<span class="button" role="link" aria-disabled="true">${downloadIcon}Download</span>
<details class="check"><summary>${chevronIcon}Check the file (SHA-256)</summary><code>${groupHash(sha256)}</code></details></li>`;
}

/** Groups digits for readability, but copies as one word, as checksum tools print it. */
function groupHash(sha256: string): readonly Html[] {
  return (sha256.match(/.{1,8}/g) ?? []).map((group) => html`<span>${group}</span><wbr>`);
}
