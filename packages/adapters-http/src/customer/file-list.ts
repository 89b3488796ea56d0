import { type DownloadPage, nameForBuyers, type ProductFile } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Wording } from '../messages/wording-of.ts';
import { checkIcon, chevronIcon, downloadIcon } from '../pages/icons.ts';

/**
 * The files behind a link, as plain links; without a token, as disabled buttons. The page's script shows
 * the hidden elements while it follows a download; without the script they stay hidden.
 */
export function fileList(
  wording: Wording,
  { orgId }: Pick<DownloadPage, 'orgId'>,
  { label, files }: NonNullable<DownloadPage['version']>,
  token: string | null,
): Html {
  const { messages } = wording;
  if (token === null) {
    return html`<ul class="files" aria-label="${messages.files.list}">${files.map((file) => shownRow(wording, file))}</ul>`;
  }
  const page = `/d/${encodeURIComponent(token)}`;
  const at = `${page}/files/${encodeURIComponent(label)}`;
  // Nothing tells which of several files a buyer needs, so the main button is that for all of them.
  const button = files.length === 1 ? 'button button-primary' : 'button';
  return html`${downloadAll(wording, files, { showsProgress: true })}<ul class="files" aria-label="${messages.files.list}" data-progress="${page}/progress" data-complete="/webhooks/${orgId}/download-complete" data-token="${token}" data-messages="${JSON.stringify(messages.script)}">
${files.map((file, position) => fileRow(wording, file, { at, button, label, id: `file-${position}` }))}
</ul>
<p class="hidden" role="status" data-status></p>`;
}

/**
 * One button for several files, for the list that follows. It is the script's: no link downloads several files. On a page
 * with more than one such button, it names the product. `showsProgress`: each file of the page shows how far it is.
 */
export function downloadAll(
  { messages: { files: words }, formats }: Wording,
  files: readonly Pick<ProductFile, 'size'>[],
  {
    productName = null,
    showsProgress = false,
  }: { readonly productName?: string | null; readonly showsProgress?: boolean } = {},
): Html | null {
  if (files.length < 2) return null;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const hiddenName = productName !== null && html`<span class="hidden"> ${productName}</span>`;
  return html`<div class="all" data-all hidden><button class="button ${showsProgress && 'button-primary '}button-wide" type="button"><span class="words">${downloadIcon}${words.all(files.length, formats.size(size))}${hiddenName}</span></button><p class="meta" role="status" ${!showsProgress && html`data-begun="${words.allBegun}"`}><span hidden>${words.allAsk}</span></p></div>`;
}

interface Row {
  readonly at: string;
  readonly button: string;
  readonly label: string;
  readonly id: string;
}

function fileRow(
  { messages: { files }, formats }: Wording,
  file: ProductFile,
  { at, button, label, id }: Row,
): Html {
  const { name, size, sha256 } = file;
  const address = `${at}/${encodeURIComponent(name)}`;
  const shown = nameForBuyers(file);
  const hiddenName = html`<span class="hidden"> ${shown}</span>`;
  return html`<li class="file" data-name="${name}" data-version="${label}" data-size="${size}">
<div class="file-name"><h2 id="${id}" tabindex="-1"><bdi>${shown}</bdi></h2><p class="meta">${realName(file)}${formats.size(size)}<span data-part="again" hidden> · <a href="${address}">${files.again}${hiddenName}</a></span></p></div>
<a class="${button}" href="${address}" data-part="button">${downloadIcon}${files.download}${hiddenName}</a>
<p class="percent" data-part="percent" hidden></p>
<p class="badge badge-success" data-part="whole" hidden>${checkIcon}${files.whole}</p>
<div class="sending" data-part="sending" hidden><progress max="100" value="0" aria-labelledby="${id}" data-part="bar"></progress><p class="meta"><span data-part="sent"></span><span data-part="left"></span></p></div>
<p class="stopped" data-part="stopped" hidden><strong data-part="how-far"></strong> ${files.stopped}</p>
<details class="check"><summary>${chevronIcon}${files.check}${hiddenName}</summary><code>${groupHash(sha256)}</code></details>
</li>`;
}

function shownRow({ messages: { files }, formats }: Wording, file: ProductFile): Html {
  const { size, sha256 } = file;
  return html`<li class="file"><div class="file-name"><h2><bdi>${nameForBuyers(file)}</bdi></h2><p class="meta">${realName(file)}${formats.size(size)}</p></div>
<span class="button" role="link" aria-disabled="true">${downloadIcon}${files.download}</span>
<details class="check"><summary>${chevronIcon}${files.check}</summary><code>${groupHash(sha256)}</code></details></li>`;
}

/** The name of the buyer's copy, where the list calls the file something else. */
export function realName({ displayName, name }: Pick<ProductFile, 'displayName' | 'name'>): Html | null {
  return displayName === undefined ? null : html`<bdi>${name}</bdi> · `;
}

/** Groups digits for readability, but copies as one word, as checksum tools print it. */
function groupHash(sha256: string): readonly Html[] {
  return (sha256.match(/.{1,8}/g) ?? []).map((group) => html`<span>${group}</span><wbr>`);
}
