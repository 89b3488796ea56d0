import { AUTHOR_LOST_ACCESS, type BulkRun } from '@handover/domain';
import { html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { refreshIcon } from '../parts/icons.ts';
import { counted, formatCount } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { bulkList } from '../parts/select-bar.ts';
import { undoForm } from '../parts/undo.ts';

const LIST = '/dashboard/purchases';

/**
 * Says what a bulk action has done, from its row. While it is in progress, the page follows. `undoKey`: the id that an Undo of
 * it gets.
 */
export function bulkRunPage(run: BulkRun, csrfToken: string, undoKey: string): Answer {
  const { id, action, counts, seen, endedAt } = run;
  const isOver = endedAt !== null;
  const address = `${LIST}/bulk/${id}`;
  const done = `${counted(counts.done, THINGS[action])} ${PAST[action]}`;
  const title = isOver ? (counts.done === 0 ? `Nothing was ${PAST[action]}` : done) : DOING[action];
  const total = Math.max(run.total, seen, 1);
  const progress = html`<p role="status">${done} so far. ${formatCount(seen)} of ${counted(total, 'purchase')} checked.</p><progress value="${seen}" max="${total}" aria-label="Purchases checked"></progress>
<noscript>${linkButton(address, { words: 'Reload', icon: refreshIcon, small: true })}</noscript>`;
  const press = submitButton({ words: 'Cancel the rest', danger: true });
  const cancel = postForm({ action: `${address}/cancel`, csrfToken, body: press });
  const canUndo = isOver && action === 'revoke' && counts.done > 0;
  const undo = canUndo && undoForm({ action: `${address}/undo`, fields: { key: undoKey } }, csrfToken, false);
  const others = describeOthers(run);
  const follow = html`hx-get="${address}" hx-trigger="every 2s" hx-select="#bulk" hx-swap="outerHTML"`;
  const header = pageHeader({ title, back: { href: LIST, words: 'Purchases' } });
  const main = html`<div id="bulk" ${!isOver && follow}>${header}<section class="card narrow"><section><div class="form">${!isOver && progress}${others.length > 0 && bulkList(others)}<p class="muted">Each purchase that was changed has an entry in the activity log.${canUndo && ' Undo restores those that nobody has restored or revoked again since.'}</p><div class="form-actions">${!isOver && cancel}${undo}${linkButton(LIST, { words: 'Back to the list' })}</div></div></section></section></div>`;
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
