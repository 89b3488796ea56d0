import type { ProductFile, VersionWithFiles } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { formatSize } from '../../pages/words.ts';
import { submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { alertIcon, checkIcon, crossIcon, pauseIcon, uploadIcon } from '../parts/icons.ts';
import type { LoadedProduct } from './load-product.ts';

/**
 * The files of a version that is not frozen, and the upload form. Without a script the form takes one file
 * at a time; the script (assets/upload.js) uploads several in resumable pieces, each with its own row.
 */
export function uploadSection(
  { id, version, files }: VersionWithFiles,
  { product, csrfToken, maxFileSize }: Pick<LoadedProduct, 'product' | 'csrfToken' | 'maxFileSize'>,
  problem: string | null,
): Html {
  const input = `file-${id}`;
  const note = problem === null ? '' : html`aria-describedby="${input}-note" aria-invalid="true"`;
  const body = html`${uploadIcon}<p>Drop files here, or <label for="${input}">choose them</label>, up to ${formatSize(maxFileSize)} each. If the connection breaks, choose the same file again and it continues where it stopped.</p>
<input type="file" id="${input}" name="file" required ${note}>${submitButton({ words: 'Add file', small: true })}`;
  const action = `/dashboard/products/${product.id}/versions/${id}/files`;
  return html`<div class="uploads" data-uploads data-product="${product.id}" data-version="${id}" data-endpoint="/api/uploads">
<ul class="upload-list" aria-label="Files of version ${version}">${files.map(finishedRow)}</ul>
<div class="drop">${fileForm(action, csrfToken, body)}</div>
${problem === null ? '' : html`<p class="problem" id="${input}-note">${alertIcon}<span>${problem}</span></p>`}
<p class="visually-hidden" role="status" data-say></p>
<template>${row('', null, 'sending')}</template>
</div>`;
}

/** The token precedes the file, so that it is read first. */
function fileForm(action: string, csrfToken: string, body: Html): Html {
  return postForm({ action, csrfToken, body, takesFile: true });
}

function finishedRow({ name, size, sha256, displayName }: ProductFile): Html {
  const note = html`${displayName && html`<bdi>${displayName}</bdi> · `}${formatSize(size)} <span class="mono" title="${sha256}">sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}</span>`;
  return row(name, note, 'done');
}

function row(name: string, note: Html | null, state: 'done' | 'sending'): Html {
  return html`<li class="upload" data-state="${state}"><span class="upload-icons">${uploadIcon}${checkIcon}${crossIcon}${pauseIcon}</span>
<strong data-name><bdi>${name}</bdi></strong><span class="upload-note" data-note>${note}</span><span class="upload-acts">${
    state === 'done'
      ? ''
      : html`<button type="button" data-act></button><button type="button" data-forget hidden>Forget it</button>`
  }</span>${state === 'done' ? '' : html`<progress max="100" value="0" aria-label="Sent"></progress>`}</li>`;
}

/** Long enough to compare by eye; the title has the whole hash. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, 4)} ${sha256.slice(4, 8)} … ${sha256.slice(-8, -4)} ${sha256.slice(-4)}`;
}
