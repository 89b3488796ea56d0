import { type ActionItem, subjectOfActionItem } from '@handover/domain';
import { html } from '@handover/html';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm, textField } from '../parts/form.ts';
import { pageHeader } from '../parts/page-header.ts';
import { describeNeed } from './describe-need.ts';

/** Asks why it needs nothing, and says when it comes back. */
export function dismissPage({
  item,
  reason,
  problem,
  now,
  csrfToken,
  platforms,
}: Pick<DashboardRequest, 'now' | 'csrfToken' | 'platforms'> & {
  readonly item: ActionItem;
  readonly reason: string;
  readonly problem: string | null;
}): Answer {
  const { title, reason: why } = describeNeed({ platforms }, item, now);
  const hidden = {
    subject: subjectOfActionItem(item),
    'seen-at': item.at.toISOString(),
    'seen-count': item.buyers,
  };
  const body = html`<p><strong><bdi>${title}</bdi></strong></p><p class="muted dismiss-reason">${why}</p>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${textField({ name: 'reason', label: 'Why does it need nothing?', value: reason, required: true, help: 'One sentence, for those who ask later.', problem })}
<p class="muted">Nothing is delivered or deleted. It leaves “Needs you” until it gets worse, and you can bring it back on Overview.</p>
<div class="form-actions">${submitButton({ words: 'Dismiss', primary: true })}${linkButton('/dashboard/overview', { words: 'Cancel' })}</div>`;
  const back = { href: '/dashboard/overview', words: 'Overview' };
  const form = postForm({ action: '/dashboard/overview/dismiss', csrfToken, body });
  const main = html`${pageHeader({ title: 'Dismiss', back })}<section class="card narrow"><section>${form}</section></section>`;
  return { kind: 'page', status: problem === null ? 200 : 400, title: 'Dismiss', main };
}
