import type { DeliveryPreview, PreviewedLine } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusMark } from '../parts/badge.ts';
import { submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { mailSentIcon, refreshIcon } from '../parts/icons.ts';
import { shortReason } from './format-entry.ts';

/** The maximum number of listed lines; an order can have a thousand. */
const MAX_REPORTED = 20;

/** Previews what delivering again would do. */
export function previewPanel(
  preview: DeliveryPreview,
  { action, csrfToken }: { readonly action: string; readonly csrfToken: string },
): Html {
  const told = preview.lines.slice(0, MAX_REPORTED);
  const untold = preview.lines.length - told.length;
  const button = preview.changes
    ? postForm({ action, csrfToken, body: submitButton({ words: 'Deliver again', primary: true }) })
    : html`<p class="log-disabled"><button class="btn" type="button" disabled aria-describedby="no-change">Deliver again</button><span class="small" id="no-change">Nothing would change.</span></p>`;
  return html`<section class="log-preview" aria-labelledby="preview"><h3 id="preview">${refreshIcon}What delivering again would do now</h3>
<ul>${told.map(formatLine)}${untold > 0 ? html`<li><span></span><span>And ${untold} more lines.</span></li>` : ''}${told.length === 0 && preview.reason ? html`<li><span></span><span>${preview.reason}</span></li>` : ''}<li>${mailSentIcon}<span>${formatMail(preview)}</span></li></ul>
${button}</section>`;
}

function formatLine(line: PreviewedLine): Html {
  return html`<li>${statusMark('line', line.outcome)}<span>${OUTCOMES[line.outcome](line)}</span></li>`;
}

const OUTCOMES: Readonly<Record<PreviewedLine['outcome'], (line: PreviewedLine) => Html>> = {
  delivered: (line) => html`<strong>${product(line)}</strong> would be delivered.`,
  'already-delivered': (line) => html`${product(line)} is already delivered and stays as it is.`,
  held: (line) => html`<strong>${product(line)}</strong> would stay held. ${heldFor(line)}`,
  unmatched: ({ sku }) =>
    html`No product is known for <span class="chip">${sku}</span>. <a href="/dashboard/purchases/unmatched">Map it</a> first.`,
  'not-ours': ({ sku }) => html`<span class="chip">${sku}</span> stays ignored.`,
};

function product({ productName, sku }: PreviewedLine): Html {
  return html`<bdi>${productName ?? sku}</bdi>`;
}

function heldFor(line: PreviewedLine): Html {
  const reason = shortReason(line)?.replace(`The product “${line.productName}”`, 'It');
  if (line.productId === null) return html`${reason ? `${reason}.` : ''}`;
  return html`${reason ? `${reason}. ` : ''}<a href="/dashboard/products/${line.productId}">Open the product</a>.`;
}

function formatMail({ mails, order, lines }: DeliveryPreview): Html {
  if (!mails) return html`No mail goes out.`;
  const bought = [
    ...new Set(lines.flatMap(({ outcome, productName }) => (outcome === 'delivered' ? [productName] : []))),
  ].filter((name) => name !== null);
  const who = html`<bdi>${order.customer.name?.trim() || order.customer.email?.trim() || 'The buyer'}</bdi>`;
  if (bought.length === 0) return html`${who} gets the receipt that was never sent.`;
  const what = bought.length === 1 ? html`<bdi>${bought[0]}</bdi>` : `${bought.length} products`;
  return html`${who} gets one receipt, for ${what}.`;
}
