import {
  type Dismissal,
  evaluatePurchase,
  isErased,
  isMissingFromMail,
  listTimelineSteps,
  type Platforms,
  type PurchaseRecord,
  type ReceiptState,
  summariseTimeline,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { refundBadge, statusBadge, statusWords, testBadge } from '../parts/badge.ts';
import { dialogButton, linkButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { dismissalPanel } from '../parts/dismissal.ts';
import { atIcon, mailFailedIcon, sendIcon } from '../parts/icons.ts';
import { formatMoney } from '../parts/money.ts';
import { news } from '../parts/news.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { refundNotice } from '../parts/refund-notice.ts';
import { revokeButton } from '../parts/revoke.ts';
import { dayOf, formatElapsed, longDay } from '../parts/time.ts';
import { timeline } from '../parts/timeline.ts';
import { describeStep } from './describe-step.ts';
import { purchaseFacts } from './purchase-facts.ts';
import { formatOrigin } from './source-words.ts';
import { type UndeliveredLines, undeliveredNotice } from './undelivered-lines.ts';

interface ShownPurchase {
  readonly record: PurchaseRecord;
  readonly url: string | null;
  readonly csrfToken: string;
  readonly now: Date;
  readonly platforms: Platforms;
  readonly undelivered: UndeliveredLines | null;
  /** Of its refused receipt. */
  readonly dismissal: Dismissal | null;
}

/** A purchase from order to last byte. */
export function purchasePage(shown: ShownPurchase): Answer {
  const { record, now, platforms } = shown;
  const steps = listTimelineSteps(record, now);
  const main = html`<div id="purchase-now-${paceOf(record, now) ?? 'final'}" data-purchase-now ${news(statusWords('purchase', evaluatePurchase(record, now)))} ${poll(record, now)}>${header(shown)}${isMissingFromMail(record) && missingNotice(record)}${isRefundOpen(record) && refundNotice(platforms.vendorOf(record.source), KEEPS, [revokeButton(record.customerName)])}${shown.undelivered && undeliveredNotice(shown.undelivered)}${shown.dismissal && dismissalPanel(`/dashboard/purchases/${record.id}`, shown.dismissal, shown.csrfToken)}<div class="with-facts">
<section class="card"><header><h2>From order to last byte</h2><span class="muted small">Times in UTC</span></header>
${stops(record)}<section>${timeline(steps.map((step) => describeStep(step, record, platforms, shown.dismissal !== null)))}</section></section>
${purchaseFacts(shown)}</div></div>${record.isTest ? deleteDialog(shown) : ''}`;
  return { kind: 'page', title: titleOf(record), windowTitle: windowTitleOf(record), main };
}

/**
 * Follows what happens: quickly while a receipt or a download is on its way, slowly while the buyer may still come, and
 * not at all once nothing can happen by itself. Another pace is another element, which replaces the one that polls.
 */
function poll({ id, ...record }: PurchaseRecord, now: Date): Html | null {
  const pace = paceOf(record, now);
  if (pace === null) return null;
  return html`hx-get="/dashboard/purchases/${id}" hx-trigger="every ${pace}s" hx-select="[data-purchase-now]" hx-swap="outerMorph" data-polls`;
}

const RUNNING_MS = 60_000;

/** In seconds; null when it is final. */
export function paceOf(
  record: Pick<PurchaseRecord, 'sessions'> & Parameters<typeof evaluatePurchase>[0],
  now: Date,
): number | null {
  const isRunning = record.sessions.some(
    ({ completedAt, lastByteAt }) =>
      completedAt === null && now.getTime() - lastByteAt.getTime() < RUNNING_MS,
  );
  if (isRunning) return 3;
  const state = evaluatePurchase(record, now);
  if (state === 'pending') return 3;
  return state === 'delivered' || state === 'open' ? 20 : null;
}

export function titleOf({ productName, customerName }: PurchaseRecord): string {
  return `${productName} for ${customerName}`;
}

/** A buyer may have bought a product several times. */
export function windowTitleOf(record: PurchaseRecord): string {
  return `${record.orderNumber ?? record.orderId ?? longDay(record.createdAt)} · ${titleOf(record)}`;
}

function header({ record, now, platforms }: ShownPurchase): Html {
  const { id, amount, currency, orderNumber, orderId, createdAt, revokedAt } = record;
  const order = orderNumber ?? orderId;
  const base = `/dashboard/purchases/${id}`;
  const mailing = [
    linkButton(`${base}/resend`, {
      words: record.receipt ? 'Resend receipt' : 'Send receipt',
      icon: sendIcon,
    }),
    linkButton(`${base}/address`, { words: 'Correct address', icon: atIcon }),
  ];
  return pageHeader({
    title: titleOf(record),
    badge: html`${statusBadge('purchase', evaluatePurchase(record, now))}${testBadge(record)}${refundBadge(record)}`,
    back: { href: '/dashboard/purchases', words: 'Purchases' },
    meta: [
      html`${formatMoney(amount, currency)}`,
      html`${formatOrigin(platforms, record)}`,
      ...(order === null ? [] : [html`Order ${order}`]),
      dayOf(createdAt),
    ],
    // A revoked purchase must be restored before anything is mailed.
    actions: [...(revokedAt === null ? mailing : []), ...(record.isTest ? [deleteButton] : [])],
  });
}

/** Nothing mails it by itself: its order is delivered and mailed. */
function missingNotice({ id }: PurchaseRecord): Html {
  return noticePanel({
    tone: 'held',
    icon: mailFailedIcon,
    title: 'The receipt was sent without this purchase',
    sentence: 'It was revoked at that time. Send the receipt to mail its link to the buyer.',
    actions: [
      linkButton(`/dashboard/purchases/${id}/resend`, { words: 'Send receipt', icon: sendIcon, small: true }),
    ],
  });
}

const KEEPS = 'The buyer keeps the downloads until you revoke the purchase.';

/** A revoked purchase has been decided upon, whatever money went back. */
function isRefundOpen({ refundedAt, revokedAt }: PurchaseRecord): boolean {
  return refundedAt !== null && revokedAt === null;
}

const DELETE = 'delete-test';
const deleteButton = dialogButton(DELETE, { words: 'Delete', danger: true });

function deleteDialog({ record, csrfToken }: ShownPurchase): Html {
  return confirmDialog({
    id: DELETE,
    title: 'Delete this test order?',
    loss: 'The purchase, its links, their downloads and its receipt are deleted for good. The webhook log keeps its entry.',
    action: `/dashboard/purchases/${record.id}/delete`,
    words: 'Delete the test order',
    csrfToken,
  });
}

/** The five steps in one line, for wide screens; the timeline below has the same content. */
function stops(record: PurchaseRecord): Html {
  const summary = summariseTimeline(record);
  const { received, receipt } = summary;
  const stop = (words: string, at: Date | null, otherwise = 'Not yet') =>
    html`<li ${at ? 'data-reached' : ''}><strong>${words}</strong><span>${at === null ? otherwise : at === received ? clock(at) : html`after ${formatElapsed(at.getTime() - received.getTime())}`}</span></li>`;
  return html`<ol class="stops" aria-label="In short">${[
    stop('Received', received),
    receipt.kind === 'accepted'
      ? stop('Receipt', receipt.at)
      : stop('Receipt', null, isErased(record.customerEmail) ? 'Erased' : NO_RECEIPT[receipt.kind]),
    stop('Opened', summary.opened),
    stop('Last byte', summary.lastByte),
    stop('Completed', summary.completed),
  ]}</ol>`;
}

const NO_RECEIPT: Readonly<Record<Exclude<ReceiptState['kind'], 'accepted'>, string>> = {
  pending: 'Pending',
  refused: 'Refused',
  'left-out': 'Left out',
  'not-requested': 'None requested',
};

function clock(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)}</time>`;
}
