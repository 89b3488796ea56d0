import type { LogLine, OpenedLogEntry, Order } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusBadge } from '../parts/badge.ts';
import { longText } from '../parts/long-text.ts';
import { counted, formatMoney } from '../parts/money.ts';
import { table } from '../parts/table.ts';
import { shortReason } from './format-entry.ts';

/**
 * The result and reason of each line. `order`: the order as it parses now; null when it cannot be parsed
 * any more.
 */
export function linesSection({ lines, lineCount }: OpenedLogEntry, order: Order | null): Html | null {
  if (lineCount === 0) return null;
  const isMore = lineCount > lines.length;
  return html`<section class="log-section" aria-labelledby="lines"><div class="log-section-head"><h3 id="lines">Lines</h3><span class="muted small">${counted(lineCount, 'line')} in this order${isMore ? `, the first ${lines.length} are shown` : ''}</span></div>
${table({
  label: 'Lines of this order',
  rows: lines,
  columns: [
    {
      head: 'SKU',
      cell: ({ sku }) => html`<span class="chip">${sku === '' ? 'none' : longText(sku)}</span>`,
    },
    { head: 'Result', cell: outcome },
    { head: 'Amount', number: true, cell: (line) => amount(line, order) },
  ],
})}</section>`;
}

function outcome(line: LogLine): Html {
  return html`<div class="log-outcome">${statusBadge('line', line.outcome)}<strong>${longText(line.productName ?? (line.outcome === 'unmatched' ? 'No product' : ''))}</strong></div><p class="muted">${why(line)}</p>`;
}

function why(line: LogLine): Html {
  const { productId, purchaseId } = line;
  const reason = shortReason(line);
  const openPurchase = purchaseId ? html`<a href="/dashboard/purchases/${purchaseId}">Open purchase</a>` : '';
  switch (line.outcome) {
    case 'delivered':
      return html`This delivery made the purchase. ${openPurchase}`;
    case 'already-delivered':
      return html`An earlier delivery made the purchase, and it stays as it is. ${openPurchase}`;
    case 'held': {
      const held = `${reason ?? 'It waits with the whole order'}, so nothing was made or mailed for this line.`;
      return html`${held} ${productId ? html`<a href="/dashboard/products/${productId}">Open the product</a>` : ''}`;
    }
    case 'unmatched':
      return html`${reason ? `${reason}.` : ''} <a href="/dashboard/purchases/unmatched">Map it</a>`;
    case 'not-ours':
      return html`You chose to ignore this SKU.`;
  }
}

function amount({ position }: LogLine, order: Order | null): Html {
  const given = order?.lines[position]?.amount ?? null;
  if (given === null) return html`<span class="muted">No amount</span>`;
  return order?.currency ? html`${formatMoney(given, order.currency)}` : html`${given}`;
}
