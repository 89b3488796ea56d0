import type { Dismissal } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from './button.ts';
import { hiddenField, postForm, textField } from './form.ts';
import { alertIcon, slashIcon } from './icons.ts';
import { formPage } from './narrow-page.ts';
import { noticePanel } from './notice.ts';

/** What the toasts say when there is nothing to dismiss or to bring back. */
export const SOLVED = { title: 'Nothing to do', sentence: 'It no longer needs you.' };
export const CHANGED = {
  title: 'Nothing changed',
  sentence: 'It was brought back or dismissed again meanwhile.',
};

/** Leads to the form that says of one thing why it needs nothing. `path`: the page of the thing. */
export function dismissLink(path: string): Html {
  return linkButton(`${path}/dismiss`, { words: 'Dismiss', icon: slashIcon, small: true });
}

/** That it needs nothing, who says so, and the way back. */
export function dismissalPanel(path: string, { reason, by }: Dismissal, csrfToken: string): Html {
  return noticePanel({
    tone: 'quiet',
    icon: slashIcon,
    title: 'Dismissed',
    sentence: `“${reason}” · ${by}`,
    actions: [
      postForm({
        action: `${path}/bring-back`,
        csrfToken,
        body: submitButton({ words: 'Bring back' }),
      }),
    ],
  });
}

/** Why these need nothing, and who says so, as a list shows it. */
export function dismissalWords({ reason, by }: Dismissal): Html {
  return html`“<bdi>${reason}</bdi>” · <bdi>${by}</bdi>`;
}

/** Asks why so many things need nothing. */
export function reasonField(count: number, value: string, problem: string | null): Html {
  return textField({
    name: 'reason',
    label: count === 1 ? 'Why does it need no action?' : 'Why do they need no action?',
    value,
    required: true,
    help: 'One sentence, for those who ask later.',
    problem,
  });
}

/** Asks why one thing needs nothing. */
export function dismissOnePage({
  path,
  name,
  why,
  until,
  shownAt,
  hasChanged = false,
  reason = '',
  problem = null,
  csrfToken,
}: {
  readonly path: string;
  readonly name: string;
  /** What happened to it. */
  readonly why: string | null;
  /** What lists it again, as the end of a sentence; null if nothing does. */
  readonly until: string | null;
  /** When this form says what happened: what happens later is not dismissed by it. */
  readonly shownAt: Date;
  /** It went wrong again since the form was shown that was sent. */
  readonly hasChanged?: boolean;
  readonly reason?: string;
  readonly problem?: string | null;
  readonly csrfToken: string;
}): Answer {
  const changed = noticePanel({
    tone: 'pending',
    icon: alertIcon,
    title: 'It went wrong again meanwhile',
    sentence: 'Nothing was dismissed. Below is what happened last: dismiss it if it still needs nothing.',
  });
  const fields = html`${hasChanged ? changed : ''}${hiddenField('shown', shownAt.toISOString())}<p><strong><bdi>${name}</bdi></strong></p>${why && html`<p class="muted">${why}</p>`}
${reasonField(1, reason, problem)}
<p class="muted">Nothing is delivered or deleted. It leaves “Needs you”${until && ` unless ${until}`}, and you can bring it back on its page.</p>`;
  return formPage({
    title: 'Dismiss',
    windowTitle: `Dismiss: ${name}`,
    back: { href: path, words: name },
    status: hasChanged ? 409 : problem === null ? 200 : 400,
    action: `${path}/dismiss`,
    csrfToken,
    fields,
    submit: submitButton({ words: 'Dismiss', primary: true }),
  });
}
