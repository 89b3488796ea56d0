import {
  type AuditedAction,
  changeRole,
  isFresh,
  isPromotion,
  mayGiveRoles,
  ROLES,
  type Role,
  removeUser,
  runAuditedAction,
  type TeamEditor,
  type TeamMember,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { keptFormAnswer } from '../kept-form.ts';
import { findStillMailed, memberPage } from './member-page.ts';
import { teamPage } from './team-page.ts';
import { NO_SUCH_ROLE, nameOf, REFUSALS, ROLE_WORDS } from './team-words.ts';

type Ports = Pick<
  HttpPorts,
  'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'invitations' | 'organisations' | 'team'
>;

/** The members of the organisation and their roles. */
export function teamRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/team', 'admin', (context) => answerTeam(ports, context)),
    page('/settings/team/:userId', 'admin', (context) =>
      withMember(ports, context, async (shown) => memberPage({ ...context, ...shown })),
    ),
    action('/settings/team/:userId/role', 'admin', (context, form) =>
      withMember(ports, context, (shown) => giveRole(ports, context, form, shown)),
    ),
    action('/settings/team/:userId/remove', 'admin', (context) =>
      withMember(ports, context, (shown) => remove(ports, context, shown)),
    ),
  ];
}

interface ShownMember {
  readonly member: TeamMember;
  readonly stillMailed: string | null;
}

async function withMember(
  ports: Ports,
  { orgId, params }: DashboardRequest<'userId'>,
  answer: (shown: ShownMember) => Promise<Answer>,
): Promise<Answer> {
  const [member, organisation] = await Promise.all([
    ports.team.find(orgId, params.userId),
    ports.organisations.find(orgId),
  ]);
  if (!member || !organisation) return { kind: 'not-found' };
  return answer({ member, stillMailed: findStillMailed(organisation, member) });
}

async function giveRole(
  ports: Ports,
  context: DashboardRequest,
  form: URLSearchParams,
  { member, stillMailed }: ShownMember,
): Promise<Answer> {
  const role = readRole(form.get('role') ?? '');
  if (role === null) return memberPage({ ...context, member, stillMailed, roleProblem: NO_SUCH_ROLE });
  if (role === member.role) return { kind: 'redirect', to: '/dashboard/settings/team' };
  // A forgotten browser may take rights away, and give none.
  if (isPromotion(member.role, role) && !isFresh(context.user.session, context.now)) {
    const sent = { ...context, action: `${pageOf(member)}/role`, form };
    return keptFormAnswer({ kind: 'unconfirmed' }, sent);
  }
  const summary = `${nameOf(member)} is ${ROLE_WORDS[role]} now; before: ${ROLE_WORDS[member.role]}.`;
  const result = await runAuditedAction(
    ports,
    context,
    (within) => changeRole(within, editorOf(context), member.id, { from: member.role, to: role }),
    ({ kind }) => (kind === 'changed' ? changeOf(member, summary) : null),
  );
  if (result.kind === 'unknown-user') return { kind: 'not-found' };
  if (hasLostRight(context, result, [member.role, role])) return { kind: 'redirect', to: pageOf(member) };
  if (result.kind !== 'changed') {
    return memberPage({
      ...context,
      member,
      stillMailed,
      wantedRole: role,
      roleProblem: REFUSALS[result.kind],
    });
  }
  // Admins who demote themselves can no longer see this page.
  const to = member.id === context.user.userId ? '/dashboard' : '/dashboard/settings/team';
  return { kind: 'redirect', to, toast: { title: `${nameOf(member)} is ${ROLE_WORDS[role]} now` } };
}

async function remove(
  ports: Ports,
  context: DashboardRequest,
  { member, stillMailed }: ShownMember,
): Promise<Answer> {
  const isSelf = member.id === context.user.userId;
  const verb = isSelf ? 'left the team' : 'was removed from the team';
  const summary = `${nameOf(member)} (${member.email}) ${verb}; before: ${ROLE_WORDS[member.role]}.`;
  const result = await runAuditedAction(
    ports,
    context,
    (within) => removeUser(within, editorOf(context), member.id, member.role),
    ({ kind }) => (kind === 'removed' ? changeOf(member, summary) : null),
  );
  if (result.kind === 'unknown-user') return { kind: 'not-found' };
  if (hasLostRight(context, result, [member.role])) return { kind: 'redirect', to: pageOf(member) };
  if (result.kind !== 'removed') {
    return memberPage({ ...context, member, stillMailed, removeProblem: REFUSALS[result.kind] });
  }
  if (isSelf) return { kind: 'redirect', to: '/dashboard/sign-in', session: 'ends' };
  const toast = {
    title: `${nameOf(member)} is no longer in the team`,
    sentence: stillMailed
      ? `${stillMailed} still go to ${member.email}: change that under Settings, Organisation.`
      : 'What was done stays in the activity log.',
  };
  return { kind: 'redirect', to: '/dashboard/settings/team', toast };
}

/** The team page. `problem`: why an action on an invitation failed. */
export async function answerTeam(
  { team, invitations }: Ports,
  context: DashboardRequest,
  problem: string | null = null,
): Promise<Answer> {
  const members = await team.list(context.orgId);
  return teamPage({ ...context, members, invitations: await invitations.list(context.orgId), problem });
}

function editorOf({ orgId, user }: DashboardRequest): TeamEditor {
  return { orgId, userId: user.userId };
}

function pageOf({ id }: TeamMember): string {
  return `/dashboard/settings/team/${id}`;
}

/** The role at the start of the request was enough: the user has lost it since. The next page says so. */
function hasLostRight(
  context: DashboardRequest,
  { kind }: { readonly kind: string },
  roles: readonly Role[],
): boolean {
  return kind === 'not-allowed' && mayGiveRoles(context.role, roles);
}

function changeOf({ id }: TeamMember, summary: string): AuditedAction {
  return { kind: 'team-changed', subjectId: id, summary };
}

export function readRole(text: string): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}
