import { html } from 'ghtml';

export interface Figure {
  readonly label: string;
  readonly value: string;
  /** Smaller, after the value. */
  readonly unit?: string;
  /** One comparison in words, never a bare percentage. */
  readonly note?: string;
}

/** Numbers in a row, at the head of a card; two by two on phones. */
export function figureRow(figures: readonly Figure[]): string {
  return html`<dl class="figures" id="figures">!${figures.map(
    ({ label, value, unit, note }) =>
      html`<div><dt>${label}</dt><dd>${value}!${unit ? html`<small> ${unit}</small>` : ''}</dd>!${note ? html`<dd>${note}</dd>` : ''}</div>`,
  )}</dl>`;
}
