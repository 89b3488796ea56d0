import { removeUser, runAuditedAction, type SignedIn } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import {
  type Answer,
  action,
  type DashboardRoute,
  page,
  type UserRequest,
  withDevice,
} from '../dashboard-route.ts';
import { counted } from '../parts/money.ts';
import { securityPage } from './security-page.ts';
import { REFUSALS, ROLE_WORDS } from './team-words.ts';

type Ports = Pick<
  HttpPorts,
  'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'passkeys' | 'team' | 'userSessions'
>;

const ADDRESS = '/dashboard/settings/security';

/** The user's own sessions: for any role, also without an organisation. */
export function securityRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/security', 'signed-in', (context) => answerSecurity(ports, context)),
    action('/settings/security/end', 'signed-in', (context, form) => endSession(ports, context, form)),
    action('/settings/security/end-others', 'signed-in', (context) => endOthers(ports, context)),
    action('/settings/security/leave', 'signed-in', (context) => leave(ports, context)),
  ];
}

async function endSession(ports: Ports, context: UserRequest, form: URLSearchParams): Promise<Answer> {
  const { user, now } = context;
  const hash = form.get('session') ?? '';
  const ended = (await ports.userSessions.list(user.userId, now)).find((one) => one.hash === hash);
  const client = ended?.client ?? 'an unknown device';
  const isEnded = await runAuditedAction(
    ports,
    withDevice(context),
    ({ userSessions }) => userSessions.endOne(user.userId, hash),
    (done) => (done ? describe(user, `the session of ${client}`) : null),
  );
  if (!isEnded) return { kind: 'not-found' };
  if (hash === user.session.hash) return { kind: 'redirect', to: '/dashboard/sign-in', session: 'ends' };
  return {
    kind: 'redirect',
    to: ADDRESS,
    toast: { title: 'The session is ended', sentence: `${client}.` },
  };
}

async function endOthers(ports: Ports, context: UserRequest): Promise<Answer> {
  const { user } = context;
  const ended = await runAuditedAction(
    ports,
    withDevice(context),
    ({ userSessions }) => userSessions.endAll(user.userId, user.session.hash),
    (count) => (count > 0 ? describe(user, `all other sessions: ${count}`) : null),
  );
  const title = ended === 0 ? 'There was no other session' : `${counted(ended, 'session')} ended`;
  return { kind: 'redirect', to: ADDRESS, toast: { title, sentence: 'You stay signed in here.' } };
}

async function leave(ports: Ports, context: UserRequest): Promise<Answer> {
  const { user, orgId } = context;
  if (!user.membership || orgId === null) return { kind: 'not-found' };
  const { role } = user.membership;
  const summary = `${user.name ?? user.email} (${user.email}) left the team; before: ${ROLE_WORDS[role]}.`;
  const { kind } = await runAuditedAction(
    ports,
    context,
    (within) => removeUser(within, { orgId, userId: user.userId }, user.userId, role),
    (left) => (left.kind === 'removed' ? { kind: 'team-changed', subjectId: user.userId, summary } : null),
  );
  if (kind === 'removed') return { kind: 'redirect', to: '/dashboard/sign-in', session: 'ends' };
  return kind === 'last-owner'
    ? answerSecurity(ports, context, REFUSALS[kind])
    : { kind: 'redirect', to: ADDRESS };
}

/** `leaveProblem`: why the user stays in the team. */
async function answerSecurity(
  ports: Ports,
  { user, csrfToken, now }: UserRequest,
  leaveProblem: string | null = null,
): Promise<Answer> {
  const sessions = await ports.userSessions.list(user.userId, now);
  const passkeys = await ports.passkeys.list(user.userId);
  const organisation = user.membership?.organisationName ?? null;
  const currentHash = user.session.hash;
  return securityPage({ sessions, passkeys, organisation, leaveProblem, currentHash, csrfToken, now });
}

function describe({ userId, email }: SignedIn, what: string) {
  return { kind: 'session-ended', subjectId: userId, summary: `${email} ended ${what}.` } as const;
}
