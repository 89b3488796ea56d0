import type { ListedInvitation, TeamMember } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { rowLink, table } from '../parts/table.ts';
import { relativeTime } from '../parts/time.ts';
import { invitationsCard } from './invitation-pages.ts';
import { ROLE_TITLES } from './team-words.ts';

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
