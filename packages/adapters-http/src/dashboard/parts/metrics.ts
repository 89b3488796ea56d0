import { type Html, html } from '@handover/html';

export interface Metric {
  readonly label: string;
  readonly value: string;
  /** Shown smaller, after the value. */
  readonly unit?: string;
  /** A comparison in words, never a bare percentage. */
  readonly note?: string;
}

/** A row of numbers at the top of a card; two per row on phones. */
export function metricRow(metrics: readonly Metric[]): Html {
  return html`<dl class="figures" id="figures">${metrics.map(
    ({ label, value, unit, note }) =>
      html`<div><dt>${label}</dt><dd>${value}${unit ? html`<small> ${unit}</small>` : ''}</dd>${note ? html`<dd>${note}</dd>` : ''}</div>`,
  )}</dl>`;
}
