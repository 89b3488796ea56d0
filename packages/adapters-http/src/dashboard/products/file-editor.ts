import type { ProductFile, VersionWithFiles } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { dialogButton, submitButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { hiddenField, postForm, textField } from '../parts/form.ts';
import type { LoadedProduct } from './load-product.ts';
import type { VersionProblem } from './version-card.ts';

/** The file whose button was pressed last, so that the list stays open there. */
export interface EditedFile {
  readonly versionId: string;
  readonly name: string;
  readonly pressed: string;
}

export function readEdited(query: URLSearchParams): EditedFile | null {
  const versionId = query.get('files');
  return versionId === null
    ? null
    : { versionId, name: query.get('file') ?? '', pressed: query.get('pressed') ?? '' };
}

/** Names, orders and removes the files of a version. Folded: it is rarely needed. */
export function fileEditor(
  version: VersionWithFiles,
  loaded: LoadedProduct,
  problem: VersionProblem | null,
  edited: EditedFile | null,
): Html | null {
  const { id, files } = version;
  if (files.length === 0) return null;
  const isOpen = problem?.file !== undefined || edited?.versionId === id;
  const rows = files.map((file, at) => fileRow(version, file, at, { loaded, problem, edited }));
  return html`<details class="file-editor" id="files-${id}" ${isOpen && 'open'}><summary>Name and order files<span class="visually-hidden"> of version ${version.version}</span></summary>
<p class="help-line">Buyers see the files in this order, on their page and in mails. Their copies keep the files’ own names.</p>
<ol role="list">${rows}</ol></details>`;
}

function fileRow(
  { id, version, files }: VersionWithFiles,
  { name, displayName = '' }: ProductFile,
  at: number,
  {
    loaded: { product, csrfToken },
    problem,
    edited,
  }: {
    readonly loaded: LoadedProduct;
    readonly problem: VersionProblem | null;
    readonly edited: EditedFile | null;
  },
): Html {
  const action = `/dashboard/products/${product.id}/versions/${id}/file`;
  const wrong = problem?.file?.name === name ? problem.file : null;
  const field = textField({
    name: 'displayName',
    id: `name-${id}-${at}`,
    label: `Name of ${name} for buyers`,
    value: wrong?.typed ?? displayName,
    help: displayName === '' ? 'Such as Windows, macOS or Manual. Buyers see the file’s name now.' : '',
    problem: wrong ? (problem?.problem ?? null) : null,
  });
  const button = (pressed: 'up' | 'down', words: string, isOff: boolean) => {
    const isLast = edited?.versionId === id && edited.name === name && edited.pressed === pressed;
    return html`<button class="btn" type="submit" name="action" value="${pressed}" data-variant="outline" data-size="sm" ${isOff && 'disabled'} ${isLast && !isOff && 'autofocus'}>${words}<span class="visually-hidden"> ${name}</span></button>`;
  };
  const dialog = `remove-${id}-${at}`;
  const isLive = product.activeVersionId === id;
  const body = html`${hiddenField('name', name)}${field}<div class="form-actions">${submitButton({ words: 'Save the name', small: true }, { name: 'action', value: 'save' })}${button('up', 'Move up', at === 0)}${button('down', 'Move down', at === files.length - 1)}${isLive ? '' : dialogButton(dialog, { words: 'Remove', small: true, danger: true })}</div>`;
  const confirm = confirmDialog({
    id: dialog,
    title: `Remove ${name}?`,
    loss: `It is taken out of version ${version}. Upload it again to bring it back.`,
    action,
    words: 'Remove the file',
    fields: { name, action: 'remove' },
    csrfToken,
  });
  return html`<li>${postForm({ action, csrfToken, body })}${isLive ? '' : confirm}</li>`;
}
