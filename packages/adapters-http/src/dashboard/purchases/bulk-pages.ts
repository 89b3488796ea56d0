import {
  type BulkAction,
  type BulkPlan,
  type FoundPurchase,
  type LeftOut,
  MAX_BULK_COUNTED,
  type Platforms,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { hiddenFields, postForm } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { narrowPage } from '../parts/narrow-page.ts';
import { bulkList } from '../parts/select-bar.ts';
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
  const body = html`<input type="hidden" name="all" value="yes"><p>${consequence(action, total)}</p>${nameSome(asking.platforms, newest, total)}
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
  const press =
    words !== null && submitButton({ words, primary: action !== 'revoke', danger: action === 'revoke' });
  const body = html`${hiddenFields(Object.entries(hidden))}${content}
<div class="form-actions">${press}${linkButton(`${LIST}?${filters}`, { words: words === null ? 'Back to the list' : 'Cancel' })}</div>`;
  return bulkPage(title, filters, postForm({ action: `${LIST}/bulk`, csrfToken, body }), 200);
}

/** Nothing was selected. */
export function nothingSelectedPage(filters: URLSearchParams): Answer {
  const words = html`<div class="form"><p>Select purchases by the boxes before them, or check “All that match”. Then press the button again.</p><div class="form-actions">${linkButton(`${LIST}?${filters}`, { words: 'Back to the list' })}</div></div>`;
  return bulkPage('No purchase is selected', filters, words, 400);
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
      return `${counted(mails, 'mail')} with new links ${mails === 1 ? 'goes' : 'go'} out. Links mailed before go on working until they expire. A mail also has the other products of the same order.`;
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

const REASONS: Readonly<Record<LeftOut, string>> = {
  pending: 'their receipts are on the way already',
  revoked: 'they are revoked',
  'not-revoked': 'they are not revoked',
};

function listLeftOut(leftOut: ReadonlyMap<LeftOut, number>): Html | null {
  if (leftOut.size === 0) return null;
  return html`<p class="muted">Left out: ${[...leftOut].map(([reason, count]) => `${count}, since ${REASONS[reason]}`).join('; ')}.</p>`;
}

function bulkPage(title: string, filters: URLSearchParams, body: Html, status: number): Answer {
  return narrowPage({ title, back: { href: `${LIST}?${filters}`, words: 'Purchases' }, status, body });
}
