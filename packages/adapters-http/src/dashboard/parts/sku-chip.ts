import { type Html, html } from '@handover/html';
import { longText } from './long-text.ts';

/** So many characters fit into one line of the narrowest phone, also beside the nodes of a timeline. */
const MAX_WHOLE = 28;

/** A SKU within a text or a cell. One of usual length stays in one line, and a longer one may break after its marks. */
export function skuChip(sku: string): Html {
  if (sku.length <= MAX_WHOLE) return html`<span class="chip" data-whole><bdi>${sku}</bdi></span>`;
  return html`<span class="chip">${longText(sku)}</span>`;
}
