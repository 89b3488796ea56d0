import { type Html, html } from '@handover/html';
import { checkIcon } from './icons.ts';

/** Reports the success of an action on another page. Errors are never toasts: they stay beside the action. */
export interface Toast {
  readonly title: string;
  readonly sentence?: string;
}

/** The container for toasts. An htmx response can add one out of band: `hx-swap-oob="beforeend:#toaster"`. */
export function toaster(toast: Toast | null): Html {
  return html`<div id="toaster" class="toaster" aria-live="polite">${toast ? toastElement(toast) : ''}</div>`;
}

export function toastElement({ title, sentence }: Toast): Html {
  return html`<div class="toast" role="status" data-category="success" data-duration="6000"><div class="toast-content">${checkIcon}<section><h2>${title}</h2>${sentence ? html`<p>${sentence}</p>` : ''}</section></div></div>`;
}
