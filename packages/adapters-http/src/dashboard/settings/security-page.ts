import type { Passkey, StoredSession } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { dialogButton, submitButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { hiddenField, postForm } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { problemAlert } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { addPasskeyForm } from '../parts/passkey.ts';
import { table } from '../parts/table.ts';
import { dayOf, relativeTime } from '../parts/time.ts';
import { leavingLoss } from './team-words.ts';

const ADDRESS = '/dashboard/settings/security';

interface Shown {
  readonly sessions: readonly StoredSession[];
  readonly passkeys: readonly Passkey[];
  /** The name of the user's organisation; null: none. */
  readonly organisation: string | null;
  /** Why the user could not leave it. */
  readonly leaveProblem: string | null;
  readonly currentHash: string;
  readonly csrfToken: string;
  readonly now: Date;
}

/** Where the user is signed in. */
export function securityPage(shown: Shown): Answer {
  const { sessions, passkeys, currentHash, csrfToken, now } = shown;
  const hasOthers = sessions.some(({ hash }) => hash !== currentHash);
  const main = html`${pageHeader({
    title: 'Security',
    meta: [`Signed in on ${counted(sessions.length, 'device')}`, 'A session ends after 14 days without use'],
    actions: hasOthers ? [dialogButton('end-others', { words: 'End all others', danger: true })] : [],
  })}<section class="card api-keys"><header><h2>Where you are signed in</h2></header>${sessionTable(shown)}</section>
${passkeyCard(passkeys, csrfToken, now)}${leaveCard(shown)}
${
  hasOthers &&
  confirmDialog({
    id: 'end-others',
    title: 'End all other sessions?',
    loss: 'Every other device is signed out at once, and mailed links that are still open stop working. This device stays signed in.',
    action: `${ADDRESS}/end-others`,
    words: 'End all others',
    csrfToken,
  })
}`;
  return { kind: 'page', status: shown.leaveProblem ? 400 : 200, title: 'Security', main };
}

/** The sessions, this one first. */
function sessionTable({ sessions, currentHash, csrfToken, now }: Shown): Html {
  const isCurrent = ({ hash }: StoredSession) => hash === currentHash;
  const others = sessions.filter((session) => !isCurrent(session));
  return table<StoredSession>({
    label: 'Where you are signed in',
    rows: [...sessions.filter(isCurrent), ...others],
    columns: [
      {
        head: 'Device',
        cell: (session) =>
          html`<strong class="device">${session.client ?? 'Unknown device'}</strong>${isCurrent(session) && html`<div><span class="muted small">This device</span></div>`}`,
      },
      {
        head: 'Last seen',
        cell: (session) =>
          html`<span class="muted"><span class="only-narrow">Seen </span>${isCurrent(session) ? 'now' : relativeTime(session.lastSeenAt, now)}</span>`,
      },
      {
        head: 'Since',
        cell: ({ createdAt }) =>
          html`<span class="muted"><span class="only-narrow">Signed in on </span>${dayOf(createdAt)}</span>`,
      },
      ...(others.length === 0
        ? []
        : [
            {
              head: 'Actions',
              number: true,
              cell: (session: StoredSession) => (isCurrent(session) ? '' : endForm(session, csrfToken)),
            },
          ]),
    ],
  });
}

function endForm({ hash, client }: StoredSession, csrfToken: string): Html {
  const words = html`End<span class="visually-hidden"> the session of ${client ?? 'an unknown device'}</span>`;
  const body = html`${hiddenField('session', hash)}${submitButton({ words, small: true, danger: true })}`;
  return html`<div class="row-actions">${postForm({ action: `${ADDRESS}/end`, csrfToken, body })}</div>`;
}

function passkeyCard(passkeys: readonly Passkey[], csrfToken: string, now: Date): Html {
  const list = table<Passkey>({
    label: 'Your passkeys',
    rows: passkeys,
    columns: [
      { head: 'Passkey', cell: ({ name }) => html`<strong><bdi>${name}</bdi></strong>` },
      {
        head: 'Last used',
        cell: ({ lastUsedAt }) =>
          html`<span class="muted">${lastUsedAt ? html`<span class="only-narrow">Used </span>${relativeTime(lastUsedAt, now)}` : html`Never<span class="only-narrow"> used</span>`}</span>`,
      },
      {
        head: 'Since',
        cell: ({ createdAt }) =>
          html`<span class="muted"><span class="only-narrow">Added on </span>${dayOf(createdAt)}</span>`,
      },
      { head: 'Actions', number: true, cell: (passkey) => removeForm(passkey, csrfToken) },
    ],
  });
  return html`<section class="card api-keys passkeys"><header><h2>Passkeys</h2></header>${passkeys.length > 0 && list}<section class="form"><p class="muted small">A passkey signs you in with a fingerprint, a face or a PIN, without a mail. Mailed links still work.</p>${addPasskeyForm()}</section></section>`;
}

function leaveCard({ organisation, leaveProblem, csrfToken }: Shown): Html | null {
  if (organisation === null) return null;
  return html`<section class="card leave"><header><h2>Leave <bdi>${organisation}</bdi></h2></header><section class="form"><p class="muted small">You lose every page of this organisation at once. You stay a user, and can accept the invitation of another one.</p>${leaveProblem && problemAlert(leaveProblem)}<div>${dialogButton('leave', { words: 'Leave the team', danger: true })}</div></section></section>${confirmDialog(
    {
      id: 'leave',
      title: `Leave ${organisation} yourself?`,
      loss: leavingLoss(organisation),
      action: `${ADDRESS}/leave`,
      words: 'Leave the team',
      csrfToken,
    },
  )}`;
}

function removeForm({ id, name }: Passkey, csrfToken: string): Html {
  const words = html`Remove<span class="visually-hidden"> the passkey ${name}</span>`;
  const body = html`${hiddenField('passkey', id)}${submitButton({ words, small: true, danger: true })}`;
  return html`<div class="row-actions">${postForm({ action: '/dashboard/passkeys/remove', csrfToken, body })}</div>`;
}
