import {
  AUTHOR_LOST_ACCESS,
  type BulkAction,
  type BulkPlan,
  type BulkRun,
  type FoundPurchase,
  type LeftOut,
  MAX_BULK_COUNTED,
  type Platforms,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { hiddenField, hiddenFields, postForm } from '../parts/form.ts';
import { refreshIcon } from '../parts/icons.ts';
import { counted, formatCount } from '../parts/money.ts';
import { formPage, narrowPage } from '../parts/narrow-page.ts';
import { news } from '../parts/news.ts';
import { pageHeader } from '../parts/page-header.ts';
import { bulkList } from '../parts/select-bar.ts';
import { undoForm } from '../parts/toast.ts';
import { formatSource } from './source-words.ts';

const LIST = '/dashboard/purchases';

/** What every page that asks has. */
interface Asking {
  readonly action: BulkAction;
  /** Those of the list that the selection was made on. */
  readonly filters: URLSearchParams;
  /** The id that the action gets. */
  readonly key: string;
  readonly askedAt: Date;
  readonly csrfToken: string;
  readonly platforms: Platforms;
}

/** Says what happens to how many, and which are left out and why, before anything happens. */
export function confirmBulkPage({
  plan,
  fields,
  mails,
  ...asking
}: Asking & {
  readonly plan: BulkPlan<FoundPurchase>;
  /** The hidden fields `p`, one for each purchase. */
  readonly fields: readonly string[];
  /** How many mails go out; of `resend`. */
  readonly mails: number;
}): Answer {
  const { action } = asking;
  const { included, leftOut } = plan;
  const count = included.length;
  const words = nameAction(action, count, mails);
  const title = count === 0 ? NOTHING[action] : `${words}?`;
  const body = html`${hiddenFields(fields.map((value) => ['p', value]))}
${count > 0 && html`<p>${consequence(action, mails)}</p>${nameSome(asking.platforms, included, count)}`}${listLeftOut(leftOut)}`;
  return askPage(asking, title, count > 0 ? words : null, body);
}

/** Asks the same of more than can be done at once. */
export function confirmAllPage({
  total,
  newest,
  ...asking
}: Asking & { readonly total: number; readonly newest: readonly FoundPurchase[] }): Answer {
  const { action } = asking;
  const some = `${total >= MAX_BULK_COUNTED ? 'more than ' : ''}${counted(total, 'purchase')}`;
  const words = action === 'resend' ? `Send receipts of ${some} again` : `${BULK_VERBS[action]} ${some}`;
  const body = html`${hiddenField('all', 'yes')}<p>${consequence(action, total)}</p>${nameSome(asking.platforms, newest, total)}
<p>This runs in the background. You can leave its page, come back from Activity, and cancel it. Purchases made from now on are not included.</p>
<p class="muted">Left out: ${LEFT_OUT_OF_ALL[action]}.</p>`;
  return askPage(asking, `${words}?`, words, body);
}

export const BULK_VERBS = { resend: 'Send again', revoke: 'Revoke', restore: 'Restore' } as const;

const LEFT_OUT_OF_ALL: Readonly<Record<BulkAction, string>> = {
  resend: 'receipts on the way already or sent from now on, and purchases that are revoked',
  revoke: 'those that are revoked already',
  restore: 'those that are not revoked, or are revoked from now on',
};

/** `words`: of the button; null where nothing can be done. */
function askPage(asking: Asking, title: string, words: string | null, content: Html): Answer {
  const { action, filters, key, askedAt, csrfToken } = asking;
  const hidden = { action, key, asked: askedAt.toISOString(), filters: filters.toString() };
  return formPage({
    title,
    back: backTo(filters),
    action: `${LIST}/bulk`,
    csrfToken,
    fields: html`${hiddenFields(Object.entries(hidden))}${content}`,
    submit:
      words === null
        ? null
        : submitButton({ words, primary: action !== 'revoke', danger: action === 'revoke' }),
    leave: words === null ? BACK_TO_LIST : 'Cancel',
  });
}

/** Nothing was selected. */
export function nothingSelectedPage(filters: URLSearchParams): Answer {
  const back = backTo(filters);
  const body = html`<div class="form"><p>Select purchases by the boxes before them, or check “All that match”. Then press the button again.</p><div class="form-actions">${linkButton(back.href, { words: BACK_TO_LIST })}</div></div>`;
  return narrowPage({ title: 'No purchase is selected', back, status: 400, body });
}

const BACK_TO_LIST = 'Back to the list';

function backTo(filters: URLSearchParams) {
  return { href: `${LIST}?${filters}`, words: 'Purchases' };
}

function nameAction(action: BulkAction, count: number, mails: number): string {
  if (action === 'resend') return `Send ${counted(mails, 'receipt')} again`;
  return `${BULK_VERBS[action]} ${counted(count, 'purchase')}`;
}

const NOTHING: Readonly<Record<BulkAction, string>> = {
  resend: 'No receipt to send again',
  revoke: 'Nothing to revoke',
  restore: 'Nothing to restore',
};

function consequence(action: BulkAction, mails: number): string {
  switch (action) {
    case 'resend':
      return `${counted(mails, 'mail')} with new links ${mails === 1 ? 'goes' : 'go'} out. Links mailed before go on working until they expire. A mail also has the other products of the same order, but for those that are revoked.`;
    case 'revoke':
      return 'All their links stop working at once, and their buyers can get no new ones until you restore them. Downloads in progress finish.';
    case 'restore':
      return 'Their links work again until they expire.';
  }
}

const NAMED = 10;

/** The first of them, so that a wrong selection is seen. */
function nameSome(platforms: Platforms, purchases: readonly FoundPurchase[], count: number): Html {
  const named = purchases
    .slice(0, NAMED)
    .map(
      ({ source, orderNumber, orderId, customerName, customerEmail, productName }) =>
        html`${formatSource(platforms, source)} <bdi>${orderNumber ?? orderId ?? 'sale'}</bdi>, <bdi>${customerName}</bdi>, <bdi>${customerEmail}</bdi>, <bdi>${productName}</bdi>`,
    );
  return bulkList(named, count - named.length);
}

/** Of one purchase, and of several. */
const REASONS: Readonly<Record<LeftOut, readonly [one: string, several: string]>> = {
  pending: ['its receipt is on the way already', 'their receipts are on the way already'],
  revoked: ['it is revoked', 'they are revoked'],
  'not-revoked': ['it is not revoked', 'they are not revoked'],
};

function listLeftOut(leftOut: ReadonlyMap<LeftOut, number>): Html | null {
  if (leftOut.size === 0) return null;
  return html`<p class="muted">Left out: ${[...leftOut].map(([reason, count]) => `${count}, since ${REASONS[reason][count === 1 ? 0 : 1]}`).join('; ')}.</p>`;
}

/**
 * Says what a bulk action has done, from its row. While it is in progress, the page follows; at its end, another element
 * replaces the one that polls. `undoKey`: the id that an Undo of it gets.
 */
export function bulkRunPage(run: BulkRun, csrfToken: string, undoKey: string): Answer {
  const { id, action, counts, seen, endedAt } = run;
  const isOver = endedAt !== null;
  const address = `${LIST}/bulk/${id}`;
  const done = `${counted(counts.done, THINGS[action])} ${PAST[action]}`;
  const title = isOver ? (counts.done === 0 ? `Nothing was ${PAST[action]}` : done) : DOING[action];
  const total = Math.max(run.total, seen, 1);
  // Each quarter is said, not each purchase.
  const quarter = `${Math.floor((4 * seen) / total) * 25} % checked`;
  const progress = html`<p>${done} so far. ${formatCount(seen)} of ${counted(total, 'purchase')} checked.</p><progress value="${seen}" max="${total}" aria-label="Purchases checked"></progress>
<noscript>${linkButton(address, { words: 'Reload', icon: refreshIcon, small: true })}</noscript>`;
  const press = submitButton({ words: 'Cancel the rest', danger: true });
  const cancel = postForm({ action: `${address}/cancel`, csrfToken, body: press });
  const canUndo = isOver && action === 'revoke' && counts.done > 0;
  const undo = canUndo && undoForm({ action: `${address}/undo`, fields: { key: undoKey } }, csrfToken, false);
  const others = describeOthers(run);
  const follow = html`hx-get="${address}" hx-trigger="every 2s" hx-select="[data-bulk-now]" hx-swap="outerMorph" data-polls`;
  const header = pageHeader({ title, back: { href: LIST, words: 'Purchases' } });
  const main = html`<div id="bulk-now-${isOver ? 'over' : 'running'}" data-bulk-now ${news(isOver ? title : quarter)} ${!isOver && follow}>${header}<section class="card narrow"><section><div class="form">${!isOver && progress}${others.length > 0 && bulkList(others)}<p class="muted">Each purchase that was changed has an entry in the activity log.${canUndo && ' Undo restores those that nobody has restored or revoked again since.'}</p><div class="form-actions">${!isOver && cancel}${undo}${linkButton(LIST, { words: BACK_TO_LIST })}</div></div></section></section></div>`;
  return { kind: 'page', title, main };
}

const THINGS = { resend: 'receipt', revoke: 'purchase', restore: 'purchase', undo: 'purchase' } as const;
const PAST = { resend: 'sent again', revoke: 'revoked', restore: 'restored', undo: 'restored' } as const;
const DOING = {
  resend: 'Sending receipts again',
  revoke: 'Revoking purchases',
  restore: 'Restoring purchases',
  undo: 'Undoing the revocation',
} as const;

/** Why some stayed as they are: of purchases that were named, and of all that matched. */
const UNCHANGED = {
  resend: ['not sent: sent again before, or on the way already', ', or their purchase is revoked'],
  revoke: ['unchanged: revoked before', ''],
  restore: ['unchanged: restored before', ', never revoked, or revoked again since'],
  undo: ['left alone: restored before, or revoked again since', ''],
} as const;

function describeOthers({
  action,
  by,
  counts,
  query,
  endedAt,
  cancelledBy,
  seen,
  total,
}: BulkRun): readonly string[] {
  const { revoked } = counts;
  // An Undo does not look at what changed since the revocation: only at its end, that is the rest.
  const isUndone = action === 'undo' && endedAt !== null && cancelledBy === null;
  const unchanged = isUndone ? total - counts.done : counts.before;
  const [why, ofAll] = UNCHANGED[action];
  return [
    cancelledBy !== null &&
      `${cancelledBy === AUTHOR_LOST_ACCESS ? 'Stopped' : `Cancelled by ${cancelledBy || 'somebody'}`} after ${formatCount(seen)} of ${counted(Math.max(total, seen), 'purchase')}. What was done stays done.`,
    cancelledBy === AUTHOR_LOST_ACCESS &&
      `${by.actor ?? 'The person who began it'} is not an owner or admin any more. Another one can do the rest: choose the same purchases again.`,
    unchanged > 0 && `${counted(unchanged, THINGS[action])} ${why}${query ? ofAll : ''}.`,
    revoked > 0 &&
      `${counted(revoked, 'receipt')} not sent: a purchase in the mail is revoked. Restore it first.`,
  ].filter((one) => one !== false);
}
