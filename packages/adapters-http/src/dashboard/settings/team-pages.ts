import {
  type ListedInvitation,
  normalizeEmail,
  type Organisation,
  type Role,
  type TeamMember,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { dialogButton, linkButton, submitButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { postForm, selectField, statusOf, textField } from '../parts/form.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { formPage } from '../parts/narrow-page.ts';
import { problemAlert } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { rowLink, table } from '../parts/table.ts';
import { dayOf, relativeTime } from '../parts/time.ts';
import { leavingLoss, ROLE_OPTIONS, ROLE_TITLES } from './team-words.ts';

export function nameOf({ name, email }: Pick<TeamMember, 'name' | 'email'>): string {
  return name ?? email;
}

/** `problem`: why an action on an invitation failed. */
export function teamPage({
  members,
  invitations,
  user,
  now,
  csrfToken,
  problem,
}: Pick<DashboardRequest, 'user' | 'now' | 'csrfToken'> & {
  readonly members: readonly TeamMember[];
  readonly invitations: readonly ListedInvitation[];
  readonly problem: string | null;
}): Answer {
  const main = html`${pageHeader({
    title: 'Team',
    meta: [counted(members.length, 'person', 'people'), 'Each signs in with a mailed link or a passkey'],
    actions: [
      linkButton('/dashboard/settings/team/invite', {
        words: 'Invite somebody',
        icon: plusIcon,
        primary: true,
      }),
    ],
  })}<section class="card">${membersTable(members, user.userId, now)}</section>${invitationsCard({ invitations, problem, now, csrfToken })}`;
  return { kind: 'page', status: problem ? 400 : 200, title: 'Team', main };
}

function membersTable(members: readonly TeamMember[], ownId: string, now: Date): Html {
  const you = (id: string) => (id === ownId ? html` <span class="muted small">you</span>` : '');
  return table({
    label: 'Members of the team',
    rows: members,
    columns: [
      {
        head: 'Name',
        cell: ({ id, name, email }) =>
          html`${rowLink(`/dashboard/settings/team/${id}`, name ?? 'No name yet', name ? null : email)}${you(id)}`,
      },
      {
        head: 'E-mail address',
        narrow: 'line',
        cell: ({ email }) => html`<span class="muted">${longText(email)}</span>`,
      },
      {
        head: 'Role',
        narrow: 'corner',
        cell: ({ role }) => html`<span class="role">${ROLE_TITLES[role]}</span>`,
      },
      {
        head: 'Since',
        number: true,
        narrow: 'hidden',
        cell: ({ createdAt }) => html`<span class="muted">${relativeTime(createdAt, now)}</span>`,
      },
    ],
  });
}

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
  const fields = html`${textField({
    type: 'email',
    name: 'email',
    label: 'E-mail address',
    value: form.email,
    required: true,
    help: 'An invitation is mailed there. It is valid for 7 days, and the person who reads that mail decides.',
    problem: problems.email ?? null,
  })}${textField({
    name: 'name',
    label: 'Name',
    value: form.name,
    help: 'Optional.',
    problem: problems.name ?? null,
  })}${roleField(form.role, problems.role ?? null)}`;
  return formPage({
    title: 'Invite somebody',
    back: BACK,
    status: statusOf(problems),
    action: '/dashboard/settings/team/invite',
    csrfToken,
    fields,
    submit: submitButton({ words: 'Mail the invitation', primary: true }),
  });
}

/** A member of the team: the role, and removal. A rejected change is explained beside its form. */
export function memberPage({
  member,
  user,
  csrfToken,
  stillMailed,
  wantedRole = member.role,
  roleProblem = null,
  removeProblem = null,
}: Pick<DashboardRequest, 'user' | 'csrfToken'> & {
  readonly member: TeamMember;
  /** See `findStillMailed`. */
  readonly stillMailed: string | null;
  readonly wantedRole?: Role;
  readonly roleProblem?: string | null;
  readonly removeProblem?: string | null;
}): Answer {
  const isSelf = member.id === user.userId;
  const address = `/dashboard/settings/team/${member.id}`;
  const organisation = user.membership?.organisationName ?? 'the organisation';
  const roleForm = html`${roleField(wantedRole, roleProblem, isSelf ? OWN_ROLE : undefined)}<div class="form-actions">${submitButton({ words: 'Save the role', primary: true })}</div>`;
  const main = html`${pageHeader({
    title: nameOf(member),
    back: BACK,
    meta: [
      html`<bdi>${member.email}</bdi>`,
      html`Since ${dayOf(member.createdAt)}`,
      ...(isSelf ? ['This is you'] : []),
    ],
  })}<section class="card narrow"><section>${postForm({ action: `${address}/role`, csrfToken, body: roleForm })}</section>
<section class="form"><h2>${isSelf ? 'Leave the team' : 'Remove from the team'}</h2>
<p class="muted small">${isSelf ? LEAVING : 'The dashboard and the API are closed to them at once, and invitations that they sent are withdrawn. What they did stays in the activity log.'}</p>
${notesOnRemoval({ isSelf, member, stillMailed })}
${removeProblem && problemAlert(removeProblem)}
<div>${dialogButton('remove', { words: isSelf ? 'Leave the team' : 'Remove from the team', danger: true })}</div></section></section>
${removeDialog(member, { isSelf, organisation, csrfToken })}`;
  return {
    kind: 'page',
    status: roleProblem || removeProblem ? 400 : 200,
    title: nameOf(member),
    windowTitle: `${nameOf(member)} · Team`,
    main,
  };
}

function removeDialog(
  member: TeamMember,
  {
    isSelf,
    organisation,
    csrfToken,
  }: { readonly isSelf: boolean; readonly organisation: string; readonly csrfToken: string },
): Html {
  return confirmDialog({
    id: 'remove',
    title: isSelf ? `Leave ${organisation} yourself?` : `Remove ${nameOf(member)}?`,
    loss: isSelf
      ? leavingLoss(organisation)
      : `${nameOf(member)} loses every page of ${organisation}, is signed out everywhere, and this person’s API keys and passkeys stop working at once, in programs, too. An invitation brings them back, with a new key.`,
    action: `/dashboard/settings/team/${member.id}/remove`,
    words: isSelf ? 'Leave the team' : 'Remove from the team',
    csrfToken,
  });
}

/** What removing somebody does not end. */
function notesOnRemoval({
  isSelf,
  member,
  stillMailed,
}: {
  readonly isSelf: boolean;
  readonly member: TeamMember;
  readonly stillMailed: string | null;
}): Html {
  const mayKnowSecrets = !isSelf && member.role !== 'member';
  return html`${mayKnowSecrets && html`<p class="muted small">If they have seen the signing secret of a shop, <a href="/dashboard/settings/integrations">replace it</a> as well.</p>`}
${stillMailed && html`<p class="muted small">${stillMailed} still go to this address afterwards. <a href="/dashboard/settings/organisation">Choose another address</a> for them.</p>`}`;
}

/** What the organisation's settings mail to the address of a member, removed or not. */
export function findStillMailed(
  { alertEmail, email }: Pick<Organisation, 'alertEmail' | 'email'>,
  member: Pick<TeamMember, 'email'>,
): string | null {
  const isTheirs = (address: string) => normalizeEmail(address) === normalizeEmail(member.email);
  const getsReplies = isTheirs(email);
  if (alertEmail === null || !isTheirs(alertEmail)) return getsReplies ? 'Answers of buyers' : null;
  return getsReplies ? 'Alerts and answers of buyers' : 'Alerts';
}

const BACK = { href: '/dashboard/settings/team', words: 'Team' };
const OWN_ROLE = 'This is your own role. As a member you no longer see orders, buyers and settings.';
const LEAVING = 'You lose what you see here at once, and cannot undo it yourself.';

function roleField(
  role: string,
  problem: string | null,
  help = 'Owners and admins see everything. Members see products, downloads and who downloaded; no orders, no amounts, no settings.',
): Html {
  return selectField({ name: 'role', label: 'Role', value: role, options: ROLE_OPTIONS, help, problem });
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
