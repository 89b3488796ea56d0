import { type Html, html } from '@handover/html';
import { checkIcon } from './icons.ts';

/** Says that something succeeded elsewhere. Errors are never toasts: they stay, where the action was. */
export interface Toast {
  readonly title: string;
  readonly sentence?: string;
}

/** The corner that toasts come up in. An htmx answer may add one out of band: `hx-swap-oob="beforeend:#toaster"`. */
export function toaster(toast: Toast | null): Html {
  return html`<div id="toaster" class="toaster" aria-live="polite">${toast ? toastElement(toast) : ''}</div>`;
}

export function toastElement({ title, sentence }: Toast): Html {
  return html`<div class="toast" role="status" data-category="success" data-duration="6000"><div class="toast-content">${checkIcon}<section><h2>${title}</h2>${sentence ? html`<p>${sentence}</p>` : ''}</section></div></div>`;
}
