import type { BulkAction, BulkPlan, FoundPurchase, LeftOut } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';

const LIST = '/dashboard/purchases';

/** The list that the selection was made on, and the rest of what matched. */
export interface BulkOrigin {
  readonly filters: URLSearchParams;
  /** Where the next batch begins; null when this is all. */
  readonly next: string | null;
}

/** Says what happens to how many, and which are left out and why, before anything happens. */
export function confirmBulkPage({
  action,
  plan,
  fields,
  mails,
  origin,
  csrfToken,
}: {
  readonly action: BulkAction;
  readonly plan: BulkPlan<FoundPurchase>;
  /** The hidden fields `p`, one for each purchase. */
  readonly fields: readonly string[];
  /** How many mails go out; of `resend`. */
  readonly mails: number;
  readonly origin: BulkOrigin;
  readonly csrfToken: string;
}): Answer {
  const { included, leftOut } = plan;
  const count = included.length;
  const words = nameAction(action, count, mails);
  const title = count === 0 ? NOTHING[action] : `${words}?`;
  const more =
    origin.next === null
      ? null
      : html`<p>These are the newest ${count + sumOf(leftOut)} of those that match. You can go on with the next afterwards.</p>`;
  const body = html`${fields.map((value) => html`<input type="hidden" name="p" value="${value}">`)}<input type="hidden" name="action" value="${action}"><input type="hidden" name="filters" value="${origin.filters.toString()}"><input type="hidden" name="next" value="${origin.next ?? ''}">
${count > 0 && html`<p>${consequence(action, mails)}</p>${nameSome(included)}`}${more}${listLeftOut(leftOut)}
<div class="form-actions">${count > 0 && submitButton({ words, primary: action !== 'revoke', danger: action === 'revoke' })}${linkButton(`${LIST}?${origin.filters}`, { words: count > 0 ? 'Cancel' : 'Back to the list' })}</div>`;
  return bulkPage(title, origin, postForm({ action: `${LIST}/bulk`, csrfToken, body }), 200);
}

/** Nothing was selected. */
export function nothingSelectedPage(origin: BulkOrigin): Answer {
  const words = html`<div class="form"><p>Select purchases by the boxes before them, or check “All that match”. Then press the button again.</p><div class="form-actions">${linkButton(`${LIST}?${origin.filters}`, { words: 'Back to the list' })}</div></div>`;
  return bulkPage('No purchase is selected', origin, words, 400);
}

/** What became of the purchases; of `resend`, of the mails. */
export interface BulkResult {
  readonly action: BulkAction;
  readonly done: number;
  /** It was so before, or is on its way. */
  readonly before: number;
  /** Not sent, because a purchase in the mail is revoked. */
  readonly revoked: number;
}

/** The address of its page: it only says these numbers. */
export function addressOfResult({ action, done, before, revoked }: BulkResult, origin: BulkOrigin): string {
  const query = new URLSearchParams({
    result: action,
    done: `${done}`,
    unchanged: `${before}`,
    revoked: `${revoked}`,
  });
  if (origin.next !== null) query.set('next', origin.next);
  query.set('filters', origin.filters.toString());
  return `${LIST}/bulk/result?${query}`;
}

/** Says what was done to how many, and what was not. */
export function bulkResultPage(result: BulkResult, origin: BulkOrigin): Answer {
  const { title, others } = describeResult(result);
  const rest = new URLSearchParams(origin.filters);
  rest.set('all', 'yes');
  rest.set('action', result.action);
  rest.set('before', origin.next ?? '');
  const next =
    origin.next === null
      ? null
      : linkButton(`${LIST}/bulk?${rest}`, { words: 'Go on with the next', primary: true });
  const main = html`<div class="form">${others.length > 0 && html`<ul class="bulk-list">${others.map((words) => html`<li>${words}</li>`)}</ul>`}<p class="muted">Each purchase that was changed has an entry in the activity log.</p><div class="form-actions">${next}${linkButton(`${LIST}?${origin.filters}`, { words: 'Back to the list' })}</div></div>`;
  return bulkPage(title, origin, main, 200);
}

function describeResult({ action, done, before, revoked }: BulkResult) {
  const what = action === 'resend' ? 'receipt' : 'purchase';
  const past = { resend: 'sent again', revoke: 'revoked', restore: 'restored' }[action];
  const others = [
    ...(before === 0
      ? []
      : action === 'resend'
        ? [`${counted(before, what)} not sent: sent again before, or on the way already.`]
        : [`${counted(before, what)} unchanged: ${past} before.`]),
    ...(revoked === 0
      ? []
      : [`${counted(revoked, what)} not sent: a purchase in the mail is revoked. Restore it first.`]),
  ];
  return { title: done === 0 ? `Nothing was ${past}` : `${counted(done, what)} ${past}`, others };
}

function nameAction(action: BulkAction, count: number, mails: number): string {
  if (action === 'resend') return `Send ${counted(mails, 'receipt')} again`;
  return `${action === 'revoke' ? 'Revoke' : 'Restore'} ${counted(count, 'purchase')}`;
}

const NOTHING: Readonly<Record<BulkAction, string>> = {
  resend: 'No receipt to send again',
  revoke: 'Nothing to revoke',
  restore: 'Nothing to restore',
};

function consequence(action: BulkAction, mails: number): string {
  switch (action) {
    case 'resend':
      return `${counted(mails, 'mail')} with new links ${mails === 1 ? 'goes' : 'go'} out. Links mailed before go on working until they expire. A mail also has the other products of the same order.`;
    case 'revoke':
      return 'All their links stop working at once, and their buyers can get no new ones until you restore them. Downloads in progress finish.';
    case 'restore':
      return 'Their links work again until they expire.';
  }
}

const NAMED = 10;

/** The first of them, so that a wrong selection is seen. */
function nameSome(purchases: readonly FoundPurchase[]): Html {
  const named = purchases
    .slice(0, NAMED)
    .map(
      ({ orderNumber, orderId, customerName, customerEmail, productName }) =>
        html`<li><bdi>${orderNumber ?? orderId ?? 'Sale'}</bdi>, <bdi>${customerName}</bdi>, <bdi>${customerEmail}</bdi>, <bdi>${productName}</bdi></li>`,
    );
  const more = purchases.length - named.length;
  return html`<ul class="bulk-list">${named}${more > 0 && html`<li class="muted">and ${more} more</li>`}</ul>`;
}

const REASONS: Readonly<Record<LeftOut, string>> = {
  pending: 'their receipts are on the way already',
  revoked: 'they are revoked',
  'not-revoked': 'they are not revoked',
};

function listLeftOut(leftOut: ReadonlyMap<LeftOut, number>): Html | null {
  if (leftOut.size === 0) return null;
  return html`<p class="muted">Left out: ${[...leftOut].map(([reason, count]) => `${count}, since ${REASONS[reason]}`).join('; ')}.</p>`;
}

function sumOf(leftOut: ReadonlyMap<LeftOut, number>): number {
  return [...leftOut.values()].reduce((sum, count) => sum + count, 0);
}

function bulkPage(title: string, { filters }: BulkOrigin, body: Html, status: number): Answer {
  const back = { href: `${LIST}?${filters}`, words: 'Purchases' };
  const main = html`${pageHeader({ title, back })}<section class="card narrow"><section>${body}</section></section>`;
  return { kind: 'page', status, title, main };
}
