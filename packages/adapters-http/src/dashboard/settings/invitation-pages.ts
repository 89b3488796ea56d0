import type { ListedInvitation } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { dialogButton, submitButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { fieldsOf, postForm, statusOf, textField } from '../parts/form.ts';
import { longText } from '../parts/long-text.ts';
import { formPage } from '../parts/narrow-page.ts';
import { problemAlert } from '../parts/notice.ts';
import { table } from '../parts/table.ts';
import { dayOf } from '../parts/time.ts';
import { roleField } from './role-field.ts';
import { nameOf, ROLE_TITLES, TEAM } from './team-words.ts';

/** The typed values. */
export interface InviteForm {
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

export function invitePage({
  csrfToken,
  form,
  problems,
}: {
  readonly csrfToken: string;
  readonly form: InviteForm;
  readonly problems: Readonly<Record<string, string>>;
}): Answer {
  const field = fieldsOf(form, problems);
  const help =
    'An invitation is mailed there. It is valid for 7 days, and the person who reads that mail decides.';
  const fields = html`${textField({ ...field('email', 'E-mail address'), type: 'email', required: true, help })}
${textField({ ...field('name', 'Name'), help: 'Optional.' })}${roleField(form.role, problems.role ?? null)}`;
  return formPage({
    title: 'Invite somebody',
    back: TEAM,
    status: statusOf(problems),
    action: '/dashboard/settings/team/invite',
    csrfToken,
    fields,
    submit: submitButton({ words: 'Mail the invitation', primary: true }),
  });
}

/** The open invitations. `problem`: why an action on one of them failed. */
export function invitationsCard({
  invitations,
  problem,
  now,
  csrfToken,
}: {
  readonly invitations: readonly ListedInvitation[];
  readonly problem: string | null;
  readonly now: Date;
  readonly csrfToken: string;
}): Html | null {
  if (invitations.length === 0 && problem === null) return null;
  const refused = problem && html`<section>${problemAlert(problem)}</section>`;
  return html`<section class="card invitations"><header><h2>Open invitations</h2></header>${refused}${table<ListedInvitation>(
    {
      label: 'Open invitations',
      rows: invitations,
      columns: [
        {
          head: 'Invited',
          cell: ({ name, email, inviter }) =>
            html`<strong>${longText(name ?? email)}</strong><p class="muted">${name ? html`${longText(email)}, ` : ''}by ${longText(inviter)}</p>`,
        },
        { head: 'Role', cell: ({ role }) => html`<span class="role">${ROLE_TITLES[role]}</span>` },
        { head: 'Status', cell: (invitation) => invitationStatus(invitation, now) },
        {
          head: 'Actions',
          number: true,
          cell: (invitation) =>
            html`<div class="invitation-actions">${resendForm(invitation, csrfToken)}${withdrawButton(invitation)}</div>`,
        },
      ],
    },
  )}</section>${invitations.map((invitation) => withdrawDialog(invitation, csrfToken))}`;
}

function invitationStatus({ mail, expiresAt }: ListedInvitation, now: Date): Html {
  const state = expiresAt <= now ? 'expired' : mail.status;
  const until = html`${state === 'expired' ? 'Expired on' : 'Valid until'} ${dayOf(expiresAt)}`;
  const words = mail.status !== 'sent' && mail.answer ? html`<bdi>${mail.answer}</bdi>` : until;
  return html`${statusBadge('invitation', state)}<p class="muted">${words}</p>`;
}

const addressOf = ({ id }: ListedInvitation) => `/dashboard/settings/team/invitations/${id}`;

function resendForm(invitation: ListedInvitation, csrfToken: string): Html {
  const words = html`Send again<span class="visually-hidden"> to ${nameOf(invitation)}</span>`;
  const body = submitButton({ words, small: true });
  return postForm({ action: `${addressOf(invitation)}/resend`, csrfToken, body });
}

function withdrawButton(invitation: ListedInvitation): Html {
  const words = html`Withdraw<span class="visually-hidden"> the invitation of ${nameOf(invitation)}</span>`;
  return dialogButton(`withdraw-${invitation.id}`, { words, small: true, danger: true });
}

function withdrawDialog(invitation: ListedInvitation, csrfToken: string): Html {
  return confirmDialog({
    id: `withdraw-${invitation.id}`,
    title: `Withdraw the invitation of ${nameOf(invitation)}?`,
    loss: 'The link in its mail stops working at once. You can invite this person again later.',
    action: `${addressOf(invitation)}/withdraw`,
    words: 'Withdraw the invitation',
    csrfToken,
  });
}
