import {
  changeRole,
  inviteUser,
  ROLES,
  type Role,
  removeUser,
  requestSignIn,
  type TeamMember,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page, type Visit } from '../dashboard-route.ts';
import { type Deed, doDeed } from '../do-deed.ts';
import { type InviteForm, invitePage, memberPage, nameOf, teamPage } from './team-pages.ts';
import {
  INVITED_ADDRESS_TAKEN,
  NO_OWNERS_BY_ADMINS,
  NO_SUCH_ROLE,
  REFUSALS,
  ROLE_WORDS,
} from './team-words.ts';

/** Who belongs to the organisation, and what each may do. */
export function teamRoutes(ports: HttpPorts): readonly DashboardRoute[] {
  const withMember = async (
    { orgId, params }: Visit,
    answer: (member: TeamMember) => Promise<Answer>,
  ): Promise<Answer> => {
    const member = await ports.team.find(orgId, params.userId ?? '');
    return member ? answer(member) : { kind: 'not-found' };
  };

  return [
    page('/settings/team', 'admin', async ({ orgId, user, now }) =>
      teamPage({ members: await ports.team.list(orgId), ownId: user.userId, now }),
    ),

    page('/settings/team/invite', 'admin', async ({ formToken }) =>
      invitePage({ formToken, form: { email: '', name: '', role: 'member' }, problems: {} }),
    ),

    action('/settings/team/invite', 'admin', async (visit, posted) => {
      const form = readInvite(posted);
      const again = (problems: Readonly<Record<string, string>>) =>
        invitePage({ formToken: visit.formToken, form, problems });
      const role = readRole(form.role);
      if (role === null) return again({ role: NO_SUCH_ROLE });
      const result = await doDeed(
        ports,
        visit,
        (within) => inviteUser(within, visit, { ...form, role }),
        (invited) => (invited.kind === 'invited' ? inviteOf(invited.member) : null),
      );
      switch (result.kind) {
        case 'invited':
          return welcome(ports, visit, result.member);
        case 'invalid':
          return again({ [result.field]: `It ${result.problem}.` });
        case 'email-taken':
          return again({ email: INVITED_ADDRESS_TAKEN });
        case 'not-allowed':
          return again({ role: NO_OWNERS_BY_ADMINS });
      }
    }),

    page('/settings/team/:userId', 'admin', async (visit) =>
      withMember(visit, async (member) => memberPage({ ...visit, member })),
    ),

    action('/settings/team/:userId/role', 'admin', async (visit, posted) =>
      withMember(visit, async (member) => {
        const role = readRole(posted.get('role') ?? '');
        if (role === null) return memberPage({ ...visit, member, roleProblem: NO_SUCH_ROLE });
        if (role === member.role) return { kind: 'redirect', to: '/dashboard/settings/team' };
        const summary = `${nameOf(member)} is ${ROLE_WORDS[role]} now; before: ${ROLE_WORDS[member.role]}.`;
        const result = await doDeed(
          ports,
          visit,
          (within) => changeRole(within, visit, member.id, role),
          ({ kind }) => (kind === 'changed' ? changeOf(member, summary) : null),
        );
        if (result.kind === 'unknown-user') return { kind: 'not-found' };
        if (result.kind !== 'changed') {
          return memberPage({ ...visit, member, wantedRole: role, roleProblem: REFUSALS[result.kind] });
        }
        // Whoever makes himself a member may not see this page again.
        const to = member.id === visit.user.userId ? '/dashboard' : '/dashboard/settings/team';
        return { kind: 'redirect', to, toast: { title: `${nameOf(member)} is ${ROLE_WORDS[role]} now` } };
      }),
    ),

    action('/settings/team/:userId/remove', 'admin', async (visit) =>
      withMember(visit, async (member) => {
        const isSelf = member.id === visit.user.userId;
        const deed = isSelf ? 'left the team' : 'was removed from the team';
        const summary = `${nameOf(member)} (${member.email}) ${deed}; before: ${ROLE_WORDS[member.role]}.`;
        const result = await doDeed(
          ports,
          visit,
          (within) => removeUser(within, visit, member.id),
          ({ kind }) => (kind === 'removed' ? changeOf(member, summary) : null),
        );
        if (result.kind === 'unknown-user') return { kind: 'not-found' };
        if (result.kind !== 'removed') {
          return memberPage({ ...visit, member, removeProblem: REFUSALS[result.kind] });
        }
        if (isSelf) return { kind: 'redirect', to: '/dashboard' };
        const toast = {
          title: `${nameOf(member)} is no longer in the team`,
          sentence: 'What was done stays in the activity log.',
        };
        return { kind: 'redirect', to: '/dashboard/settings/team', toast };
      }),
    ),
  ];
}

/** Whoever was invited gets a link, so that the first thing is a mail and not a question. */
async function welcome(ports: HttpPorts, visit: Visit, member: TeamMember): Promise<Answer> {
  const asked = await requestSignIn(ports, { email: member.email, network: visit.network });
  const toast =
    asked.kind === 'asked'
      ? {
          title: `${nameOf(member)} has been mailed a link`,
          sentence: 'It works for 15 minutes. Another can be asked for at any time, where one signs in.',
        }
      : {
          title: `${nameOf(member)} is in the team`,
          sentence:
            'No link was mailed: too many were asked for from here. It can be asked for where one signs in.',
        };
  return { kind: 'redirect', to: '/dashboard/settings/team', toast };
}

function inviteOf(member: TeamMember): Deed {
  const summary = `${nameOf(member)} (${member.email}) was invited as ${ROLE_WORDS[member.role]}.`;
  return changeOf(member, summary);
}

function changeOf({ id }: TeamMember, summary: string): Deed {
  return { kind: 'team-changed', subjectId: id, summary };
}

function readInvite(posted: URLSearchParams): InviteForm {
  const read = (name: string) => posted.get(name) ?? '';
  return { email: read('email'), name: read('name'), role: read('role') };
}

function readRole(text: string): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}
