import type {
  DeliveryBody,
  FoundPurchase,
  OpenedLogEntry,
  Platforms,
  PreviewDeliveryResult,
} from '@handover/domain';
import { type Html, type HtmlValue, html } from '@handover/html';
import { statusBadge, testBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { alertIcon, atIcon, backIcon, mailFailedIcon, pendingIcon, slashIcon } from '../parts/icons.ts';
import { formatTimes } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import { exactTime } from '../parts/time.ts';
import { boughtBeforeSection } from './bought-before.ts';
import { linesSection } from './entry-lines.ts';
import { titleOfEntry } from './format-entry.ts';
import { addressOf, type LogView } from './log-view.ts';
import { payloadSection } from './payload-section.ts';
import { previewPanel } from './preview-panel.ts';

export interface LoadedEntry {
  readonly entry: OpenedLogEntry;
  readonly body: DeliveryBody | null;
  readonly preview: PreviewDeliveryResult;
  readonly view: LogView;
  readonly addresses: 'shown' | 'normalized';
  readonly csrfToken: string;
  readonly platforms: Platforms;
  /** What the order of an ignored entry has bought. */
  readonly bought: readonly FoundPurchase[];
  readonly now: Date;
}

/** One entry: its status, a preview of delivering it again, and the received request. */
export function entryPane(loaded: LoadedEntry): { readonly title: string; readonly main: Html } {
  const { entry, body, preview, view, addresses } = loaded;
  const order = preview.kind === 'preview' ? preview.preview.order : null;
  const title = titleOfEntry(loaded.platforms, entry);
  const base = `/dashboard/webhook-log/${entry.id}`;
  const shown = addressOf(view, entry.id);
  const main = html`<article class="log-entry" id="entry-${entry.id}" tabindex="0" aria-labelledby="entry-title">
<a class="back" href="${addressOf(view)}">${backIcon}Webhook log</a>
${entryNow(loaded, title, shown)}${boughtBeforeSection(loaded.bought, loaded.now)}${linesSection(entry, order)}
${payloadSection({
  body,
  addresses,
  otherwise: addresses === 'shown' ? shown : `${shown}${shown.includes('?') ? '&' : '?'}addresses=shown`,
  download: `${base}/payload${addresses === 'shown' ? '?addresses=shown' : ''}`,
})}</article>`;
  return { title, main };
}

/**
 * The content of the entry. While it is being processed, it polls; afterwards another element replaces the
 * polling one.
 */
function entryNow(loaded: LoadedEntry, title: string, address: string): Html {
  const { status, hasUnmatched } = loaded.entry;
  const poll =
    status === 'pending'
      ? html`hx-get="${address}" hx-trigger="every 3s" hx-select="[data-entry-now]" hx-swap="outerMorph" data-polls`
      : '';
  return html`<div id="entry-now-${status}" data-entry-now ${poll}><div class="page-title"><h2 id="entry-title"><bdi>${title}</bdi></h2>${statusBadge('delivery', status)}${hasUnmatched ? statusBadge('delivery', 'unmatched') : ''}${testBadge(loaded.entry)}</div>
<div class="page-meta">${metaOf(loaded).map((part) => html`<span>${part}</span>`)}</div>
${explanation(loaded)}${deliverAgain(loaded)}</div>`;
}

function metaOf({ entry, preview, platforms }: LoadedEntry): readonly HtmlValue[] {
  const { attempts, normalizedEmail } = entry;
  const runs =
    attempts === 0 ? 'Not processed yet' : attempts === 1 ? 'Processed once' : `Processed ${attempts} times`;
  const order = preview.kind === 'preview' ? preview.preview.order : null;
  const buyer = order?.customer.name?.trim() || normalizedEmail;
  return [
    html`${platforms.vendorOf(entry.platform)}, <bdi>${entry.connectionName}</bdi>`,
    html`Received ${exactTime(entry.receivedAt)}`,
    runs,
    ...(buyer && normalizedEmail
      ? [
          html`<a class="link" href="/dashboard/purchases?${new URLSearchParams({ q: normalizedEmail }).toString()}"><bdi>${buyer}</bdi></a>`,
        ]
      : []),
  ];
}

/** Explains the status. */
function explanation({ entry, preview }: LoadedEntry): Html {
  const [receipt] = entry.receipts;
  const note = entry.note ? html`<p class="log-note">${entry.note}</p>` : '';
  if (receipt && receipt.attempts > 0) {
    const isFinal = receipt.status === 'refused';
    const said = receipt.lastAnswer ? html`The mail server said: <q>${receipt.lastAnswer}</q>. ` : '';
    const next = isFinal
      ? 'It is not tried again automatically.'
      : html`Tried ${formatTimes(receipt.attempts)}; the next try is at ${exactTime(receipt.nextTryAt)}.`;
    return html`<section class="notice" data-tone="${isFinal ? 'error' : 'pending'}"><span class="tile" data-tone="${isFinal ? 'error' : 'pending'}">${isFinal ? mailFailedIcon : pendingIcon}</span><div><h3>${entry.reason?.replace(/\.$/, '') ?? 'The receipt is not sent yet'}</h3><p>${said}${next}</p></div>${isFinal ? correctAddress(entry) : ''}</section>${note}`;
  }
  if (preview.kind === 'no-order' && entry.status === 'pending') {
    const sentence = entry.reason ?? 'It is tried again automatically.';
    return html`${noticePanel({ tone: 'pending', icon: pendingIcon, title: 'It cannot be read yet', sentence })}${note}`;
  }
  if (preview.kind === 'no-order') {
    const isError = entry.status === 'error';
    return html`${noticePanel({
      tone: isError ? 'error' : 'quiet',
      icon: isError ? alertIcon : slashIcon,
      title: isError ? 'It could not be read' : 'It is not a completed order',
      sentence: `${entry.reason ?? preview.reason ?? ''} There is nothing in it to deliver.`.trim(),
    })}${note}`;
  }
  // Omitted where the lines show their own reasons.
  const isTold = entry.lines.some(({ reason }) => reason !== null);
  return html`${entry.reason && !isTold ? html`<p class="log-reason">${entry.reason}</p>` : ''}${addAddress(entry)}${note}`;
}

/** Beside a receipt that was refused for good. */
function correctAddress({ lines }: OpenedLogEntry): Html | null {
  const purchaseId = lines.find((line) => line.purchaseId !== null)?.purchaseId;
  if (!purchaseId) return null;
  return html`<div class="notice-actions">${linkButton(`/dashboard/purchases/${purchaseId}/address`, { words: 'Correct the address', small: true })}</div>`;
}

function addAddress({ id, status, orderId, normalizedEmail }: OpenedLogEntry): Html | null {
  if (status !== 'error' || orderId === null || normalizedEmail !== null) return null;
  return html`<p class="log-reason">${linkButton(`/dashboard/webhook-log/${id}/address`, { words: 'Add address', icon: atIcon, small: true })}</p>`;
}

function deliverAgain({ entry, preview, view, csrfToken }: LoadedEntry): Html | null {
  if (preview.kind !== 'preview') return null;
  const query = addressOf(view).replace(/^[^?]*/, '');
  const action = `/dashboard/webhook-log/${entry.id}/redeliver${query}`;
  return previewPanel(preview.preview, { action, csrfToken });
}
