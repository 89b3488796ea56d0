import type { Platform, Platforms } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { joinWithOr } from '../../pages/words.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { reasonField } from '../parts/dismissal.ts';
import { hiddenField, hiddenFields } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { formPage, narrowPage } from '../parts/narrow-page.ts';
import { bulkList } from '../parts/select-bar.ts';
import type { Toast } from '../parts/toast.ts';
import type { RejectedRow } from './rejected-page.ts';

/** What can be done to rejected requests. */
export const REJECTED_ACTIONS = ['deliver', 'dismiss', 'bring-back'] as const;
export type RejectedAction = (typeof REJECTED_ACTIONS)[number];

export const REJECTED_VERBS = { deliver: 'Deliver', dismiss: 'Dismiss', 'bring-back': 'Bring back' } as const;
const DONE = { deliver: 'delivered', dismiss: 'dismissed', 'bring-back': 'brought back' } as const;
const NAMED = 10;
const BACK_TO_LIST = 'Back to the list';

/** Asks before it is done, and says which are left out and why. */
export function selectedRejectedPage({
  action,
  platforms,
  platform,
  selected,
  rows,
  included,
  reason,
  problem,
  csrfToken,
}: {
  readonly action: RejectedAction;
  readonly platforms: Platforms;
  readonly platform: Platform;
  /** How many were selected. */
  readonly selected: number;
  /** Those of them that it can still be done to. */
  readonly rows: readonly RejectedRow[];
  readonly included: readonly RejectedRow[];
  readonly reason: string;
  readonly problem: string | null;
  readonly csrfToken: string;
}): Answer {
  const path = `/dashboard/settings/integrations/${platform}/rejected`;
  const vendor = platforms.vendorOf(platform);
  const words = `${REJECTED_VERBS[action]} ${countRejected(included.length)}`;
  const isNone = included.length === 0;
  const title = isNone ? nameNothing(action, selected) : `${words}?`;
  const left = listLeftOut(action, { selected, found: rows.length, included: included.length });
  const why = action === 'dismiss' && reasonField(included.length, reason, problem);
  const fields = hiddenFields(included.map(({ rejected }) => ['id', rejected.id]));
  const content = html`${fields}${hiddenField('action', action)}
${!isNone && html`<p>${consequence(action, vendor, included.length === 1)}</p>${nameSome(included)}${why}`}${selected === 0 && html`<p>Select deliveries by the boxes before them. Then press the button again.</p>`}${left.length > 0 && html`<p class="muted">Left out: ${left.join('; ')}.</p>`}`;
  return formPage({
    title,
    back: { href: path, words: 'Rejected deliveries' },
    status: selected === 0 || problem !== null ? 400 : 200,
    action: path,
    csrfToken,
    fields: content,
    submit: isNone ? null : submitButton({ words, primary: true }),
    leave: isNone ? BACK_TO_LIST : 'Cancel',
  });
}

function nameNothing(action: RejectedAction, selected: number): string {
  return selected === 0 ? 'No delivery is selected' : `Nothing to ${REJECTED_VERBS[action].toLowerCase()}`;
}

/** Which of those that were selected are left out, and why. */
function listLeftOut(
  action: RejectedAction,
  counts: { readonly selected: number; readonly found: number; readonly included: number },
): readonly string[] {
  const unsigned = counts.found - counts.included;
  const gone = counts.selected - counts.found;
  return [
    unsigned > 0 &&
      `${unsigned}, since no secret that is set here verifies ${unsigned === 1 ? 'it' : 'them'}`,
    gone > 0 && `${gone}, since ${gone === 1 ? 'it was' : 'they were'} ${MEANWHILE[action]} meanwhile`,
  ].filter((one) => one !== false);
}

/** For a form without an action: the pages here always send one. */
export function noActionPage(platform: Platform): Answer {
  const path = `/dashboard/settings/integrations/${platform}/rejected`;
  const back = { href: path, words: 'Rejected deliveries' };
  const body = html`<div class="form"><p>The form has no field “action”, or an unknown one. It must be ${joinWithOr(REJECTED_ACTIONS)}.</p><div class="form-actions">${linkButton(path, { words: BACK_TO_LIST })}</div></div>`;
  return narrowPage({ title: 'Nothing was done', back, status: 400, body });
}

/** What became of those that were selected; `left`: no secret verifies them. */
export function describeRejectedResult(
  action: RejectedAction,
  { done, left, gone }: { readonly done: number; readonly left: number; readonly gone: number },
): Toast {
  const sentences = [
    done > 0 &&
      action === 'deliver' &&
      `The webhook log shows what becomes of ${done === 1 ? 'it' : 'each'}.`,
    done > 0 && action === 'dismiss' && `You can bring ${done === 1 ? 'it' : 'them'} back below.`,
    left > 0 && `${left} left alone: no secret that is set here verifies ${left === 1 ? 'it' : 'them'}.`,
    gone > 0 && `${gone} left alone: ${MEANWHILE[action]} meanwhile.`,
  ].filter((one) => one !== false);
  const title = done === 0 ? `Nothing was ${DONE[action]}` : `${countRejected(done)} ${DONE[action]}`;
  return { title, ...(sentences.length > 0 && { sentence: sentences.join(' ') }) };
}

const MEANWHILE = {
  deliver: 'delivered, dismissed or removed',
  dismiss: 'delivered, dismissed or removed',
  'bring-back': 'brought back or removed',
} as const;

/** "3 rejected deliveries". */
export function countRejected(count: number): string {
  return counted(count, 'rejected delivery', 'rejected deliveries');
}

function consequence(action: RejectedAction, vendor: string, isOne: boolean): string {
  switch (action) {
    case 'deliver':
      return isOne
        ? 'A secret that is set here verifies it. It is processed as if it came in now, and no order is delivered twice.'
        : 'A secret that is set here verifies them. They are processed as if they came in now, and no order is delivered twice.';
    case 'dismiss':
      return isOne
        ? `Nothing is delivered or deleted. It leaves “Needs you” and the count of ${vendor}, and you can bring it back for as long as it is kept.`
        : `Nothing is delivered or deleted. They leave “Needs you” and the count of ${vendor}, and you can bring them back for as long as they are kept.`;
    case 'bring-back':
      return isOne
        ? 'It is counted under “Needs you” again, and can be delivered.'
        : 'They are counted under “Needs you” again, and can be delivered.';
  }
}

/** The first of them, so that a wrong selection is seen. */
function nameSome(rows: readonly RejectedRow[]): Html {
  const named = rows
    .slice(0, NAMED)
    .map(
      ({ order }) =>
        html`<bdi>${order?.orderNumber ?? 'No order found'}</bdi>, <bdi>${order?.customer.email ?? 'no address'}</bdi>`,
    );
  return bulkList(named, rows.length - named.length);
}
