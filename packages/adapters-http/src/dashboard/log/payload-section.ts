import type { DeliveryBody } from '@handover/domain';
import { maskSecrets } from '@handover/platform-contract';
import { html } from 'ghtml';
import { sizeInWords } from '../../pages/words.ts';
import { foldAddresses, layOutForm, type Piece } from './fold-addresses.ts';

/** More of a body than anyone reads on a page. */
const MOST_SHOWN = 64_000;

interface ShownPayload {
  readonly body: DeliveryBody | null;
  readonly addresses: 'shown' | 'folded';
  /** Where this very entry is seen with its addresses, or without. */
  readonly otherwise: string;
  readonly download: string;
}

/** What came in, without its secrets, and at first without addresses. */
export function payloadSection({ body, addresses, otherwise, download }: ShownPayload): string {
  if (!body) {
    return html`<section class="log-section" aria-labelledby="payload"><h3 id="payload">Payload</h3><p class="muted small">It was removed, because bodies are kept only for a time. What became of the order stays.</p></section>`;
  }
  const text = layOutForm(maskSecrets(body.bytes));
  const cut =
    text.length > MOST_SHOWN ? text.slice(0, text.lastIndexOf('\n', MOST_SHOWN) + 1 || MOST_SHOWN) : text;
  const pieces = addresses === 'shown' ? [{ kind: 'text', text: cut } as const] : foldAddresses(cut);
  const isCut = cut.length < text.length;
  return html`<section class="log-section" aria-labelledby="payload"><div class="log-section-head"><h3 id="payload">Payload</h3><span class="muted small">${sizeInWords(body.bytes.length)}, signature verified</span><span class="log-links"><a class="link small" href="${otherwise}">${addresses === 'shown' ? 'Hide addresses' : 'Show addresses'}</a><a class="link small" href="${download}">Download</a></span></div>
<pre class="payload" tabindex="0" aria-label="Payload"><code>!${pieces.map(pieceInHtml)}</code></pre>
!${isCut ? html`<p class="muted small">Cut here: these are the first ${sizeInWords(cut.length)} of ${sizeInWords(text.length)}. Download it to see all of it.</p>` : ''}
!${headerList(body.headers)}</section>`;
}

/** The whole of it as a file, as the page shows it. */
export function payloadFile(body: DeliveryBody, addresses: 'shown' | 'folded'): string {
  const text = layOutForm(maskSecrets(body.bytes));
  if (addresses === 'shown') return text;
  return foldAddresses(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : '[address hidden]'))
    .join('');
}

function pieceInHtml(piece: Piece): string {
  return piece.kind === 'text' ? html`${piece.text}` : '<span class="hidden-address">address hidden</span>';
}

function headerList(headers: DeliveryBody['headers']): string {
  const kept = Object.entries(headers);
  if (kept.length === 0) return '';
  return html`<details class="log-headers"><summary class="small">${kept.length === 1 ? '1 header is kept' : `${kept.length} headers are kept`}</summary><dl class="name-values">!${kept.map(([name, value]) => html`<dt class="mono">${name}</dt><dd class="mono">${value}</dd>`)}</dl></details>`;
}
