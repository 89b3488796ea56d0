import { type Html, html } from '@handover/html';
import { checkIcon } from './icons.ts';
import { type Undo, undoForm } from './undo.ts';

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
