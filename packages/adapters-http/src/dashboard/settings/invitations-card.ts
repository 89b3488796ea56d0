import type { ListedInvitation } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusBadge } from '../parts/badge.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { postForm } from '../parts/form.ts';
import { alertIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { table } from '../parts/table.ts';
import { dayOf } from '../parts/time.ts';
import { ROLE_TITLES } from './team-words.ts';

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
  const refused = problem
    ? html`<section><p class="alone-problem" role="alert">${alertIcon}<span>${problem}</span></p></section>`
    : '';
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
        { head: 'Status', cell: (invitation) => statusOf(invitation, now) },
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

function statusOf({ mail, expiresAt }: ListedInvitation, now: Date): Html {
  const state = expiresAt <= now ? 'expired' : mail.status;
  const until = html`${state === 'expired' ? 'Expired on' : 'Valid until'} ${dayOf(expiresAt)}`;
  const words = mail.status !== 'sent' && mail.answer ? html`<bdi>${mail.answer}</bdi>` : until;
  return html`${statusBadge('invitation', state)}<p class="muted">${words}</p>`;
}

const addressOf = ({ id }: ListedInvitation) => `/dashboard/settings/team/invitations/${id}`;
const nameOf = ({ name, email }: ListedInvitation) => name ?? email;

function resendForm(invitation: ListedInvitation, csrfToken: string): Html {
  const body = html`<button class="btn" type="submit" data-variant="outline" data-size="sm">Send again<span class="visually-hidden"> to ${nameOf(invitation)}</span></button>`;
  return postForm({ action: `${addressOf(invitation)}/resend`, csrfToken, body });
}

function withdrawButton(invitation: ListedInvitation): Html {
  return html`<button class="btn" type="button" command="show-modal" commandfor="withdraw-${invitation.id}" data-variant="outline" data-size="sm" data-tone="danger">Withdraw<span class="visually-hidden"> the invitation of ${nameOf(invitation)}</span></button>`;
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
