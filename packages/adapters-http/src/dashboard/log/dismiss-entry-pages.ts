import type { Dismissal, OpenedLogEntry } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm, textField } from '../parts/form.ts';
import { slashIcon } from '../parts/icons.ts';
import { narrowPage } from '../parts/narrow-page.ts';
import { noticePanel } from '../parts/notice.ts';

/** That it needs nothing, and who says so; or the way to say it. */
export function dismissalPanel({
  entry,
  dismissal,
  csrfToken,
}: {
  readonly entry: OpenedLogEntry;
  readonly dismissal: Dismissal | null;
  readonly csrfToken: string;
}): Html | null {
  const path = `/dashboard/webhook-log/${entry.id}`;
  if (mayBeDismissed(entry))
    return html`<p class="log-reason">${linkButton(`${path}/dismiss`, { words: 'Dismiss', icon: slashIcon, small: true })}</p>`;
  if (!entry.isDismissed || dismissal === null) return null;
  return noticePanel({
    tone: 'quiet',
    icon: slashIcon,
    title: 'Dismissed',
    sentence: `“${dismissal.reason}” · ${dismissal.by}`,
    actions: [
      postForm({
        action: `${path}/bring-back`,
        csrfToken,
        body: submitButton({ words: 'Bring back', icon: null }),
      }),
    ],
  });
}

/** What “Needs you” lists of the log. Lines without a product are listed by their SKU, which is ignored or mapped instead. */
export function mayBeDismissed({ status, isDismissed, hasUnmatched, lines }: OpenedLogEntry): boolean {
  return (
    status === 'error' &&
    !isDismissed &&
    !hasUnmatched &&
    lines.every(({ purchaseId }) => purchaseId === null)
  );
}

/** Asks why it needs nothing. */
export function dismissEntryPage(
  entry: OpenedLogEntry,
  name: string,
  csrfToken: string,
  { reason, problem }: { readonly reason: string; readonly problem: string | null },
): Answer {
  const back = { href: `/dashboard/webhook-log/${entry.id}`, words: name };
  const body = html`<p><strong><bdi>${name}</bdi></strong></p>${entry.reason && html`<p class="muted">${entry.reason}</p>`}
${textField({ name: 'reason', label: 'Why does it need no action?', value: reason, required: true, help: 'One sentence, for those who ask later.', problem })}
<p class="muted">Nothing is delivered or deleted. It leaves “Needs you” unless the shop sends it again, and you can bring it back here.</p>
<div class="form-actions">${submitButton({ words: 'Dismiss', primary: true })}${linkButton(back.href, { words: 'Cancel' })}</div>`;
  return narrowPage({
    title: 'Dismiss',
    windowTitle: `Dismiss: ${name}`,
    back,
    status: problem === null ? 200 : 400,
    body: postForm({ action: `${back.href}/dismiss`, csrfToken, body }),
  });
}
