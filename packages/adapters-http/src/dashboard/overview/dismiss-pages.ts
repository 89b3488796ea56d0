import { type ActionItem, type DismissedItem, subjectOfActionItem } from '@handover/domain';
import { type Html, type HtmlValue, html } from '@handover/html';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { dismissalWords, reasonField } from '../parts/dismissal.ts';
import { hiddenField } from '../parts/form.ts';
import { formPage } from '../parts/narrow-page.ts';
import { describeActionItem } from './describe-action-item.ts';

const OVERVIEW = { href: '/dashboard/overview', words: 'Overview' };
const BACK_TO_OVERVIEW = 'Back to Overview';

type Request = Pick<DashboardRequest, 'now' | 'csrfToken' | 'platforms'>;

/**
 * Asks why they need nothing, and says when they come back. Of several, some are selected; the form holds each as it was
 * shown.
 */
export function dismissPage({
  items,
  chosen,
  reason,
  problem,
  now,
  csrfToken,
  platforms,
}: Request & {
  readonly items: readonly ActionItem[];
  /** The subjects that were selected. */
  readonly chosen: readonly string[];
  readonly reason: string;
  readonly problem: string | null;
}): Answer {
  const isNone = items.length === 0;
  const isOne = items.length === 1;
  const rows = items.map((item) => {
    const { title, reason: why } = describeActionItem({ platforms }, item, now);
    const subject = subjectOfActionItem(item);
    const value = `${subject}|${item.at.toISOString()}|${item.buyers}`;
    return { value, title, why, isChosen: chosen.includes(subject) };
  });
  const list = isOne
    ? rows.map(
        ({ value, title, why }) =>
          html`<p><strong><bdi>${title}</bdi></strong></p><p class="muted dismiss-reason">${why}</p>${hiddenField('subject', value)}`,
      )
    : selectList('Select what to dismiss', rows);
  const fields = isNone
    ? html`<p>Nothing needs you.</p>`
    : html`${list}
${reasonField(items.length, reason, problem)}
<p class="muted">Nothing is delivered or deleted. ${isOne ? 'It leaves “Needs you” until it gets worse, and you can bring it back on Overview.' : 'They leave “Needs you” until they get worse, and you can bring them back on Overview.'}</p>`;
  return formPage({
    title: items.length > 1 ? 'Dismiss several' : 'Dismiss',
    windowTitle: isOne ? `Dismiss: ${rows[0]?.title}` : 'Dismiss several',
    back: OVERVIEW,
    status: problem === null ? 200 : 400,
    action: `${OVERVIEW.href}/dismiss`,
    csrfToken,
    fields,
    submit: isNone ? null : submitButton({ words: 'Dismiss', primary: true }),
    leave: isNone ? BACK_TO_OVERVIEW : 'Cancel',
  });
}

/** What was dismissed, to bring some of it back. */
export function dismissedPage({
  dismissed,
  now,
  csrfToken,
  platforms,
}: Request & { readonly dismissed: readonly DismissedItem[] }): Answer {
  const rows = dismissed.map(({ item, dismissal }) => ({
    value: dismissal.subject,
    title: describeActionItem({ platforms }, item, now).title,
    why: dismissalWords(dismissal),
    isChosen: false,
  }));
  const isNone = rows.length === 0;
  const fields = isNone
    ? html`<p>Nothing is dismissed.</p>`
    : html`${selectList('Select what needs you again', rows)}<p class="muted">They are listed under “Needs you” again.</p>`;
  return formPage({
    title: 'Dismissed',
    back: OVERVIEW,
    action: `${OVERVIEW.href}/bring-back`,
    csrfToken,
    fields,
    submit: isNone ? null : submitButton({ words: 'Bring back', primary: true }),
    leave: isNone ? BACK_TO_OVERVIEW : 'Cancel',
  });
}

interface Selectable {
  readonly value: string;
  readonly title: string;
  readonly why: HtmlValue;
  readonly isChosen: boolean;
}

function selectList(legend: string, rows: readonly Selectable[]): Html {
  return html`<fieldset class="select-list"><legend>${legend}</legend>${rows.map(
    ({ value, title, why, isChosen }) =>
      html`<label><input type="checkbox" name="subject" value="${value}" ${isChosen && 'checked'}><span><strong><bdi>${title}</bdi></strong><span class="muted">${why}</span></span></label>`,
  )}</fieldset>`;
}
