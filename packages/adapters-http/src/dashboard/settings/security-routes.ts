import { runAuditedAction, type SignedIn } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRoute, page, withDevice } from '../dashboard-route.ts';
import { counted } from '../parts/money.ts';
import { securityPage } from './security-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'passkeys' | 'userSessions'>;

const ADDRESS = '/dashboard/settings/security';

/** The user's own sessions: for any role, also without an organisation. */
export function securityRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/security', 'signed-in', async ({ user, csrfToken, now }) => {
      const sessions = await ports.userSessions.list(user.userId, now);
      const passkeys = await ports.passkeys.list(user.userId);
      return securityPage({ sessions, passkeys, currentHash: user.session.hash, csrfToken, now });
    }),

    action('/settings/security/end', 'signed-in', async (context, form) => {
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
    }),

    action('/settings/security/end-others', 'signed-in', async (context) => {
      const { user } = context;
      const ended = await runAuditedAction(
        ports,
        withDevice(context),
        ({ userSessions }) => userSessions.endAll(user.userId, user.session.hash),
        (count) => (count > 0 ? describe(user, `all other sessions: ${count}`) : null),
      );
      const title = ended === 0 ? 'There was no other session' : `${counted(ended, 'session')} ended`;
      return { kind: 'redirect', to: ADDRESS, toast: { title, sentence: 'You stay signed in here.' } };
    }),
  ];
}

function describe({ userId, email }: SignedIn, what: string) {
  return { kind: 'session-ended', subjectId: userId, summary: `${email} ended ${what}.` } as const;
}
