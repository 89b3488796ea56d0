import {
  causeOfError,
  type DeliveryBody,
  type DeliveryPreview,
  type Dismissal,
  type FoundPurchase,
  type LogLine,
  mayBeDismissed,
  normalizeSku,
  type OpenedLogEntry,
  type Order,
  type Platforms,
  type PreviewDeliveryResult,
  type PreviewedLine,
} from '@handover/domain';
import { type Html, type HtmlValue, html } from '@handover/html';
import { refundBadge, statusBadge, statusMark, statusWords, testBadge } from '../parts/badge.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { dismissalPanel, dismissLink } from '../parts/dismissal.ts';
import { postForm } from '../parts/form.ts';
import {
  alertIcon,
  atIcon,
  backIcon,
  mailFailedIcon,
  mailSentIcon,
  pendingIcon,
  refreshIcon,
  slashIcon,
} from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted, formatMoney, formatTimes } from '../parts/money.ts';
import { news } from '../parts/news.ts';
import { noticePanel } from '../parts/notice.ts';
import { skuChip } from '../parts/sku-chip.ts';
import { table } from '../parts/table.ts';
import { exactTime } from '../parts/time.ts';
import { boughtBeforeSection } from './bought-before.ts';
import { correctAddressLink } from './correctable-purchase.ts';
import { shortReason, titleOfEntry } from './format-entry.ts';
import { addressOf, type LogView } from './log-view.ts';
import { type PersonalData, payloadSection } from './payload-section.ts';
import { isRefunded, refundBeforeDelivery } from './refunded-order.ts';

export interface LoadedEntry {
  readonly entry: OpenedLogEntry;
  readonly body: DeliveryBody | null;
  readonly preview: PreviewDeliveryResult;
  readonly view: LogView;
  readonly personalData: PersonalData;
  readonly csrfToken: string;
  readonly platforms: Platforms;
  /** Why somebody decided that it needs nothing; null where nobody did. */
  readonly dismissal: Dismissal | null;
  /** What the order of an ignored entry has bought. */
  readonly bought: readonly FoundPurchase[];
  /** The purchase whose address can be corrected, where its receipt was refused. */
  readonly correctable: string | null;
  readonly now: Date;
}

/** One entry: its status, a preview of delivering it again, and the received request. */
export function entryPane(loaded: LoadedEntry): { readonly title: string; readonly main: Html } {
  const { entry, body, preview, view, personalData } = loaded;
  const order = preview.kind === 'preview' ? preview.preview.order : null;
  const title = titleOfEntry(loaded.platforms, entry);
  const base = `/dashboard/webhook-log/${entry.id}`;
  const shown = addressOf(view, entry.id);
  const main = html`<article class="log-entry" id="entry-${entry.id}" tabindex="0" aria-labelledby="entry-title">
<a class="back" href="${addressOf(view)}">${backIcon}Webhook log</a>
${entryNow(loaded, title, shown)}${boughtBeforeSection(loaded.bought, loaded.now)}${linesSection(entry, order)}
${payloadSection({
  body,
  personalData,
  otherwise: personalData === 'shown' ? shown : `${shown}${shown.includes('?') ? '&' : '?'}addresses=shown`,
  download: `${base}/payload${personalData === 'shown' ? '?addresses=shown' : ''}`,
})}</article>`;
  return { title, main };
}

/**
 * The content of the entry. While it is being processed, it polls; afterwards another element replaces the
 * polling one, as where another entry is opened: a late answer finds its element gone.
 */
function entryNow(loaded: LoadedEntry, title: string, address: string): Html {
  const { id, status, hasUnmatched } = loaded.entry;
  const poll =
    status === 'pending'
      ? html`hx-get="${address}" hx-trigger="every 3s" hx-select="[data-entry-now]" hx-swap="outerMorph" data-polls`
      : '';
  return html`<div id="entry-now-${id}-${status}" data-entry-now ${news(`${title}: ${statusWords('delivery', status)}`)} ${poll}><div class="page-title"><h2 id="entry-title"><bdi>${title}</bdi></h2>${statusBadge('delivery', status)}${hasUnmatched ? statusBadge('delivery', 'unmatched') : ''}${testBadge(loaded.entry)}${isRefunded(loaded.entry) && refundBadge(loaded.entry)}</div>
<div class="page-meta">${metaOf(loaded).map((part) => html`<span>${part}</span>`)}</div>
${explanation(loaded)}${refundBeforeDelivery(loaded)}${dismissal(loaded)}${deliverAgain(loaded)}</div>`;
}

function metaOf({ entry, preview, platforms }: LoadedEntry): readonly HtmlValue[] {
  const { normalizedEmail } = entry;
  const order = preview.kind === 'preview' ? preview.preview.order : null;
  const buyer = order?.customer.name?.trim() || normalizedEmail;
  // Somebody who got nothing has no purchase to list, but other orders, perhaps.
  const hasPurchase = entry.lines.some(({ purchaseId }) => purchaseId !== null);
  return [
    html`${platforms.vendorOf(entry.platform)}, <bdi>${entry.connectionName}</bdi>`,
    html`Received ${exactTime(entry.receivedAt)}`,
    ...formatRuns(entry),
    ...(buyer && normalizedEmail
      ? [
          html`<a class="link" href="${hasPurchase ? '/dashboard/purchases' : '/dashboard/search'}?${new URLSearchParams({ q: normalizedEmail }).toString()}"><bdi>${buyer}</bdi></a>`,
        ]
      : []),
  ];
}

/** What is ignored or unreadable is never processed. */
function formatRuns({ attempts, status }: OpenedLogEntry): readonly string[] {
  if (attempts === 0) return status === 'pending' ? ['Not processed yet'] : [];
  return [attempts === 1 ? 'Processed once' : `Processed ${attempts} times`];
}

/** Explains the status. */
function explanation({ entry, preview, correctable }: LoadedEntry): Html {
  const [receipt] = entry.receipts;
  const note = entry.note ? html`<p class="log-note">${entry.note}</p>` : '';
  if (receipt && receipt.attempts > 0) {
    const isFinal = receipt.status === 'refused';
    const said = receipt.lastAnswer ? html`The mail server said: <q>${receipt.lastAnswer}</q>. ` : '';
    const next = isFinal
      ? 'It is not tried again automatically.'
      : html`Tried ${formatTimes(receipt.attempts)}. Next try: ${exactTime(receipt.nextTryAt)}.`;
    return html`<section class="notice" data-tone="${isFinal ? 'error' : 'pending'}"><span class="tile" data-tone="${isFinal ? 'error' : 'pending'}">${isFinal ? mailFailedIcon : pendingIcon}</span><div><h3>${entry.reason?.replace(/\.$/, '') ?? 'The receipt is not sent yet'}</h3><p>${said}${next}</p></div>${isFinal ? correctAddressLink(correctable) : ''}</section>${note}`;
  }
  if (preview.kind === 'no-order' && entry.status === 'pending') {
    const sentence = entry.reason ?? 'It is tried again automatically.';
    return html`${noticePanel({ tone: 'pending', icon: pendingIcon, title: 'It cannot be read yet', sentence })}${note}`;
  }
  if (preview.kind === 'no-order') {
    return html`${entry.status === 'error' ? unreadable(entry) : notAnOrder(entry.reason ?? preview.reason)}${note}`;
  }
  // Omitted where the lines show their own reasons.
  const isTold = entry.lines.some(({ reason }) => reason !== null);
  return html`${entry.reason && !isTold ? html`<p class="log-reason">${entry.reason}</p>` : ''}${addAddress(entry)}${note}`;
}

function notAnOrder(reason: string | null): Html {
  return noticePanel({
    tone: 'quiet',
    icon: slashIcon,
    title: 'It is not a completed order',
    sentence: `${reason ?? ''} There is nothing in it to deliver.`.trim(),
  });
}

/** What a person can do about it: the shop knows what it sent. */
function unreadable({ reason, orderId }: OpenedLogEntry): Html {
  const where =
    orderId === null
      ? 'It is genuine, so look in the shop for an order from that time'
      : 'Look the order up in the shop';
  return noticePanel({
    tone: 'error',
    icon: alertIcon,
    title: 'It could not be read',
    sentence:
      `${reason ?? ''} ${where}. Send it again from there once the cause is gone, or record it as a sale.`.trim(),
    actions: [linkButton('/dashboard/purchases/record', { words: 'Record a sale', small: true })],
  });
}

function addAddress(entry: OpenedLogEntry): Html | null {
  if (causeOfError(entry) !== 'no-address') return null;
  return html`<p class="log-reason">${linkButton(`/dashboard/webhook-log/${entry.id}/address`, { words: 'Add address', icon: atIcon, small: true })}</p>`;
}

function dismissal({ entry, dismissal, csrfToken }: LoadedEntry): Html | null {
  const path = `/dashboard/webhook-log/${entry.id}`;
  if (mayBeDismissed(entry)) return html`<p class="log-reason">${dismissLink(path)}</p>`;
  return entry.isDismissed && dismissal ? dismissalPanel(path, dismissal, csrfToken) : null;
}

function deliverAgain({ entry, preview, view, csrfToken }: LoadedEntry): Html | null {
  if (preview.kind !== 'preview') return null;
  const query = addressOf(view).replace(/^[^?]*/, '');
  const action = `/dashboard/webhook-log/${entry.id}/redeliver${query}`;
  return previewPanel(preview.preview, { action, csrfToken });
}

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
      cell: ({ sku }) => skuChip(sku === '' ? 'none' : sku),
    },
    { head: 'Result', narrow: 'line', cell: outcome },
    { head: 'Amount', number: true, narrow: 'corner', cell: (line) => amount(line, order) },
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
      return html`${reason ? `${reason}.` : ''} <a href="${mapAddress(line.sku)}">Map it</a>`;
    case 'not-ours':
      return html`You chose to ignore this SKU.`;
  }
}

function mapAddress(sku: string): string {
  const list = '/dashboard/purchases/unmatched';
  return sku === '' ? list : `${list}/map?${new URLSearchParams({ sku: normalizeSku(sku) })}`;
}

function amount({ position }: LogLine, order: Order | null): Html {
  const given = order?.lines[position]?.amount ?? null;
  if (given === null) return html`<span class="muted">No amount</span>`;
  return order?.currency ? html`${formatMoney(given, order.currency)}` : html`${given}`;
}

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
    html`No product is known for ${skuChip(sku)}. <a href="${mapAddress(sku)}">Map it</a> first.`,
  'not-ours': ({ sku }) => html`${skuChip(sku)} stays ignored.`,
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
