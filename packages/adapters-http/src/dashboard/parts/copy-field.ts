import { type Html, html } from '@handover/html';
import { copyIcon } from './icons.ts';

/** A text and its copy button, which answers "Copied". Without a script, one click selects the whole text. */
export function copyField({ label, text }: { readonly label: string; readonly text: string }): Html {
  return html`<div class="field"><span class="label">${label}</span>
<div class="copy"><code>${text}</code><button class="btn" type="button" data-copy="${text}">${copyIcon}<span data-copy-words aria-live="polite">Copy</span><span class="visually-hidden"> ${label}</span></button></div></div>`;
}
