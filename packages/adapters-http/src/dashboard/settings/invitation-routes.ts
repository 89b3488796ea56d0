import {
  type AuditedAction,
  inviteUser,
  resendInvitation,
  runAuditedAction,
  withdrawInvitation,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { formatDuration } from '../../pages/words.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readTexts } from '../parts/form.ts';
import { invitePage } from './invitation-pages.ts';
import { answerTeam, readRole } from './team-routes.ts';
import {
  ALREADY_INVITED,
  ALREADY_MEMBER,
  NO_OWNERS_BY_ADMINS,
  NO_SUCH_ROLE,
  nameOf,
  ONLY_OWNERS_INVITE_OWNERS,
  ROLE_WORDS,
} from './team-words.ts';

type Ports = Pick<
  HttpPorts,
  'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'invitations' | 'organisations' | 'team'
>;

const TEAM = '/dashboard/settings/team';

/**
 * Invites people to the organisation. The answers do not reveal whether an address belongs to a user of
 * another organisation.
 */
export function invitationRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/team/invite', 'admin', async ({ csrfToken }) =>
      invitePage({ csrfToken, form: { email: '', name: '', role: 'member' }, problems: {} }),
    ),

    action('/settings/team/invite', 'admin', (context, posted) => invite(ports, context, posted), {
      // A forgotten browser would let somebody in for good.
      needsFreshSignIn: true,
    }),

    action('/settings/team/invitations/:invitationId/resend', 'admin', (context) =>
      change(ports, context, resendInvitation, 'was sent again', sentTo),
    ),

    action('/settings/team/invitations/:invitationId/withdraw', 'admin', (context) =>
      change(ports, context, withdrawInvitation, 'was withdrawn', (invitation) => ({
        kind: 'redirect',
        to: TEAM,
        toast: { title: `The invitation of ${nameOf(invitation)} is withdrawn` },
      })),
    ),
  ];
}

async function invite(ports: Ports, context: DashboardRequest, posted: URLSearchParams): Promise<Answer> {
  const form = readTexts(posted, 'email', 'name', 'role');
  const again = (problems: Readonly<Record<string, string>>) =>
    invitePage({ csrfToken: context.csrfToken, form, problems });
  const role = readRole(form.role);
  if (role === null) return again({ role: NO_SUCH_ROLE });
  const result = await runAuditedAction(
    ports,
    context,
    (within) => inviteUser(within, inviterOf(context), { ...form, role }),
    (invited) => (invited.kind === 'invited' ? describeInvited(invited.invitation) : null),
  );
  switch (result.kind) {
    case 'invited':
      return sentTo(result.invitation);
    case 'invalid':
      return again({ [result.field]: `It ${result.problem}.` });
    case 'already-member':
      return again({ email: ALREADY_MEMBER });
    case 'already-invited':
      return again({ email: ALREADY_INVITED });
    case 'too-often':
      return again({ email: explainWait(result.until, context.now) });
    case 'not-allowed':
      return again({ role: NO_OWNERS_BY_ADMINS });
  }
}

/** Changes an open invitation. `done`: what the activity log says of it. */
async function change(
  ports: Ports,
  context: DashboardRequest<'invitationId'>,
  apply: (...given: Parameters<typeof resendInvitation>) => Promise<Changed>,
  done: string,
  answer: (invitation: Omit<Invited, 'role'>) => Answer,
): Promise<Answer> {
  const { orgId, now } = context;
  const { invitationId } = context.params;
  const invitation = await ports.invitations.find(orgId, invitationId);
  if (!invitation) return { kind: 'not-found' };
  const result = await runAuditedAction(
    ports,
    context,
    (within) => apply(within, inviterOf(context), invitationId),
    ({ kind }) => (kind === 'resent' || kind === 'withdrawn' ? describe(invitation, done) : null),
  );
  switch (result.kind) {
    case 'resent':
    case 'withdrawn':
      return answer(invitation);
    case 'unknown':
      return { kind: 'not-found' };
    case 'too-often':
      return answerTeam(ports, context, explainWait(result.until, now));
    case 'not-allowed':
      return answerTeam(ports, context, ONLY_OWNERS_INVITE_OWNERS);
  }
}

type Changed = Awaited<ReturnType<typeof resendInvitation | typeof withdrawInvitation>>;
type Invited = Parameters<typeof describeInvited>[0];

function inviterOf({ orgId, role, user }: DashboardRequest) {
  return { orgId, role, userId: user.userId };
}

function sentTo(invitation: Pick<Invited, 'name' | 'email'>): Answer {
  const toast = {
    title: `An invitation is on its way to ${nameOf(invitation)}`,
    sentence: 'It is valid for 7 days.',
  };
  return { kind: 'redirect', to: TEAM, toast };
}

function explainWait(until: Date, now: Date): string {
  const wait = formatDuration(until.getTime() - now.getTime());
  return `Too many invitations were sent. You can send another in ${wait}.`;
}

function describeInvited({
  id,
  name,
  email,
  role,
}: {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly role: keyof typeof ROLE_WORDS;
}): AuditedAction {
  const summary = `${nameOf({ name, email })} (${email}) was invited as ${ROLE_WORDS[role]}.`;
  return { kind: 'team-changed', subjectId: id, summary };
}

function describe({ id, name, email }: Omit<Invited, 'role'>, verb: string): AuditedAction {
  const summary = `The invitation of ${nameOf({ name, email })} (${email}) ${verb}.`;
  return { kind: 'team-changed', subjectId: id, summary };
}
