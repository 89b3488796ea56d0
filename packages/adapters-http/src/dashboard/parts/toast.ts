import { type Html, html } from '@handover/html';
import { submitButton } from './button.ts';
import { hiddenFields, postForm } from './form.ts';
import { checkIcon } from './icons.ts';

/** Reports the success of an action on another page. Errors are never toasts: they stay beside the action. */
export interface Toast {
  readonly title: string;
  readonly sentence?: string;
  /** Left out: there is no way back, or it is on the page. */
  readonly undo?: Undo;
}

/** The container for toasts. An htmx response can add one out of band: `hx-swap-oob="beforeend:#toaster"`. */
export function toaster(toast: Toast | null, csrfToken: string): Html {
  return html`<div id="toaster" class="toaster" aria-live="polite">${toast ? toastElement(toast, csrfToken) : ''}</div>`;
}

/** One with a button stays until the next page. */
export function toastElement({ title, sentence, undo }: Toast, csrfToken: string): Html {
  return html`<div class="toast" role="status" data-category="success" data-duration="${undo ? '-1' : '6000'}"><div class="toast-content">${checkIcon}<section><h2>${title}</h2>${sentence ? html`<p>${sentence}</p>` : ''}</section>${undo ? undoForm(undo, csrfToken) : ''}</div></div>`;
}

/** The form that undoes what a toast reports. Its action checks that nothing changed in between. */
export interface Undo {
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export function undoForm({ action, fields = {} }: Undo, csrfToken: string, small = true): Html {
  return postForm({
    action,
    csrfToken,
    body: html`${hiddenFields(Object.entries(fields))}${submitButton({ words: 'Undo', small })}`,
  });
}

/** Toasts come from a cookie, which any client can send: only these actions undo anything. */
export function readUndo(given: unknown): Undo | null {
  if (typeof given !== 'object' || given === null || !('action' in given)) return null;
  const { action } = given;
  if (typeof action !== 'string' || !UNDOING.test(action)) return null;
  const fields = 'fields' in given && typeof given.fields === 'object' && given.fields ? given.fields : {};
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { action, fields: Object.fromEntries(texts) };
}

const UNDOING =
  /^\/dashboard\/(products\/[0-9a-f-]{36}\/undo|purchases\/[0-9a-f-]{36}\/(restore|revoke|bring-back)|webhook-log\/[0-9a-f-]{36}\/bring-back|overview\/bring-back)$/;
