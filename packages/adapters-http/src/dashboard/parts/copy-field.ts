import { type Html, html, joinHtml } from '@handover/html';
import { copyIcon } from './icons.ts';

/** A text and its copy button, which answers "Copied". Without a script, one click selects the whole text. */
export function copyField({ label, text }: { readonly label: string; readonly text: string }): Html {
  return html`<div class="field"><span class="label">${label}</span>
<div class="copy"><code>${breakable(text)}</code><button class="btn" type="button" data-copy="${text}">${copyIcon}<span data-copy-words>Copy</span><span class="visually-hidden"> ${label}</span></button></div></div>`;
}

/** A browser breaks an address within its words before it breaks it after a slash that digits follow. */
function breakable(text: string): Html {
  return joinHtml(text.split(/(?<=[/?&=])(?!\/)/), html`<wbr>`);
}
