import { nameForBuyers, type ProductFile, type VersionWithFiles } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import { formatSize } from '../../pages/words.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { alertIcon, checkIcon, crossIcon, pauseIcon, uploadIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { table } from '../parts/table.ts';
import { dayOf } from '../parts/time.ts';
import { type EditedFile, fileEditor } from './file-editor.ts';
import type { LoadedProduct } from './load-product.ts';
import { noteOfWaiting } from './waiting-panel.ts';

/** A problem of a version, shown in its card. */
export interface VersionProblem {
  readonly versionId: string;
  readonly problem: string;
  /** Default: 400. */
  readonly status?: number;
  /** The file that it concerns, and the name that was typed for it. */
  readonly file?: { readonly name: string; readonly typed: string };
}

export function versionCard(
  version: VersionWithFiles,
  loaded: LoadedProduct,
  problem: VersionProblem | null,
  edited: EditedFile | null,
): Html {
  const editor = fileEditor(version, loaded, problem, edited);
  const isListed = version.files.some(({ name }) => name === problem?.file?.name);
  const above = isListed ? null : problem;
  return version.status === 'preparing'
    ? preparingCard(version, loaded, above, editor)
    : readyCard(version, loaded, above, editor);
}

/** The version takes files, and is not sold yet. */
function preparingCard(
  version: VersionWithFiles,
  loaded: LoadedProduct,
  problem: VersionProblem | null,
  editor: Html | null,
): Html {
  const add = html`<button class="btn" data-variant="outline" data-size="sm" type="button" data-add-files hidden>${plusIcon}Add files</button>`;
  const badge = html`<span data-uploading hidden>${statusBadge('version', 'uploading')}</span>`;
  return html`<section class="card" aria-labelledby="version-${version.id}" data-version="${version.id}"><header><div><h2 id="version-${version.id}">Version ${version.version}</h2>${badge}</div><div>${add}${makeLive(version, loaded)}</div></header>
<section>${uploadSection(version, loaded, problem?.problem ?? null)}
<p class="help-line">Once it is live, buyers get it and its files stay as they are.${noteOfWaiting(loaded)}</p></section>${editor}</section>`;
}

/** The version's files are frozen. */
function readyCard(
  version: VersionWithFiles,
  loaded: LoadedProduct,
  problem: VersionProblem | null,
  editor: Html | null,
): Html {
  const isLive = version.id === loaded.product.activeVersionId;
  return html`<section class="card" aria-labelledby="version-${version.id}"><header><div><h2 id="version-${version.id}">Version ${version.version}</h2>${statusBadge('version', isLive ? 'live' : 'ready')}</div><div><span class="muted small">${isLive && version.liveSince ? html`Since ${dayOf(version.liveSince)}` : html`Added ${dayOf(version.createdAt)}`}</span>${isLive ? '' : askToMakeLive(version, loaded)}</div></header>
${fileTable(version)}${problem === null ? '' : html`<section class="uploads"><p class="problem">${alertIcon}<span>${problem.problem}</span></p></section>`}${editor}</section>`;
}

/** Buyers had it before: a page says what going back means. */
function askToMakeLive({ id, version }: VersionWithFiles, { product }: LoadedProduct): Html {
  const words = html`Make live<span class="visually-hidden"> version ${version}</span>`;
  return linkButton(`/dashboard/products/${product.id}/versions/${id}/make-live`, { words, small: true });
}

/** Of a draft, one more button publishes it in the same step. Without files, both wait for the first. */
function makeLive({ id, version, files }: VersionWithFiles, { product, csrfToken }: LoadedProduct): Html {
  const isDisabled = files.length === 0;
  const isFirst = product.activeVersionId === null;
  const publish = { words: `Publish version ${version}`, small: true, primary: isFirst, isDisabled };
  const body = html`${submitButton({ words: 'Make live', small: true, isDisabled })}${product.status === 'draft' && submitButton(publish, { name: 'publish', value: 'yes' })}`;
  const action = `/dashboard/products/${product.id}/versions/${id}/make-live`;
  return html`<div data-make-live>${postForm({ action, csrfToken, body })}</div>`;
}

function fileTable({ version, files }: VersionWithFiles): Html {
  return table<ProductFile>({
    label: `Files of version ${version}`,
    rows: files,
    columns: [
      {
        head: 'File',
        cell: (file) =>
          html`<strong>${longText(nameForBuyers(file))}</strong>${file.displayName === undefined ? '' : html`<br><span class="muted small">${longText(file.name)}</span>`}`,
      },
      {
        head: 'SHA-256',
        cell: ({ sha256 }) => html`<span class="mono muted" title="${sha256}">${shortHash(sha256)}</span>`,
      },
      { head: 'Size', number: true, cell: ({ size }) => formatSize(size) },
    ],
  });
}

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
  const body = html`${uploadIcon}<p>Drop files here, or <label for="${input}">choose them</label>, up to <span class="size">${formatSize(maxFileSize)}</span> each. If the connection breaks, choose the same file again and it continues where it stopped.</p>
<input type="file" id="${input}" name="file" required ${note}>${submitButton({ words: 'Add file', small: true })}`;
  const action = `/dashboard/products/${product.id}/versions/${id}/files`;
  return html`<div class="uploads" data-uploads data-product="${product.id}" data-version="${id}" data-endpoint="/api/uploads">
<ul class="upload-list" aria-label="Files of version ${version}">${files.map(finishedRow)}</ul>
<div class="drop">${postForm({ action, csrfToken, body, takesFile: true })}</div>
${problem === null ? '' : html`<p class="problem" id="${input}-note">${alertIcon}<span>${problem}</span></p>`}
<p class="visually-hidden" role="status" data-say></p>
<template>${row('', null, 'sending')}</template>
</div>`;
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
