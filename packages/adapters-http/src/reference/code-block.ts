import { type Html, html } from '@handover/html';

/** Scrolls within itself, by keyboard too; one click selects the whole text. */
export function codeBlock(title: string, code: string, about = ''): Html {
  const name = about === '' ? title : `${title}: ${about}`;
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0" role="group" aria-label="${name}"><code>${code}</code></pre></figure>
`;
}
