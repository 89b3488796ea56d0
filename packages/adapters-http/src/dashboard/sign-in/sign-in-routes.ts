import {
  type AuditedAction,
  countSignInRequest,
  lookAtSignIn,
  redeemSignIn,
  runAuditedAction,
  type SignedIn,
  type SpentSignIn,
  signOut,
  signOutEverywhere,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { LogFacts } from '../../requests/request-log.ts';
import {
  type Answer,
  action,
  type DashboardRoute,
  type PublicRequest,
  page,
  withDevice,
} from '../dashboard-route.ts';
import { readReturn } from './return-address.ts';
import {
  askedPage,
  noCookiesPage,
  requestPage,
  signInLinkPage,
  spentLinkPage,
  TOO_OFTEN,
} from './sign-in-pages.ts';

type Ports = Pick<
  HttpPorts,
  'clock' | 'ids' | 'inTransaction' | 'sessionTokens' | 'signInTokens' | 'signIns' | 'throttles'
>;

const NO_ADDRESS = 'Write an e-mail address, such as jana@example.com.';

/** Sign-in and sign-out: instead of a password, a mailed link that works once. */
export function signInRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/sign-in', 'anyone', async ({ user, query }) => {
      const to = readReturn(query.get('to'));
      if (user) return { kind: 'redirect', to: to ?? '/dashboard' };
      return requestPage({ email: '', problem: null, to });
    }),

    page('/sign-in/no-cookies', 'anyone', async ({ user, query }) => {
      const to = readReturn(query.get('to'));
      return user ? { kind: 'redirect', to: to ?? '/dashboard' } : noCookiesPage(to);
    }),

    action('/sign-in', 'anyone', (context, form) => requestLink(ports, context, form)),

    // Mail scanners open every link, so a GET only shows a button.
    page('/sign-in/:token', 'anyone', (context) => showLink(ports, context)),

    action('/sign-in/:token', 'anyone', (context) => redeem(ports, context)),

    action('/sign-out', 'signed-in', async (context) => {
      await runAuditedAction(
        ports,
        withDevice(context),
        (within) => signOut(within, context.sessionToken),
        (ended) => (ended ? describeEnd(context.user, 'signed out') : null),
      );
      return { kind: 'redirect', to: '/dashboard/sign-in', session: 'ends' };
    }),

    action('/sign-out-everywhere', 'signed-in', async (context) => {
      await runAuditedAction(
        ports,
        withDevice(context),
        (within) => signOutEverywhere(within, context.user.userId),
        () => describeEnd(context.user, 'ended all sessions'),
      );
      return { kind: 'redirect', to: '/dashboard/sign-in', session: 'ends' };
    }),
  ];
}

async function requestLink(
  ports: Ports,
  { network, client, continueUnanswered }: PublicRequest,
  form: URLSearchParams,
): Promise<Answer> {
  const email = form.get('email') ?? '';
  const to = readReturn(form.get('to'));
  const result = await countSignInRequest(ports, { email, network, client, returnTo: to });
  if (result.kind !== 'invalid') {
    const { kind, complete } = result;
    continueUnanswered(async () => describeRequest(kind, await complete()));
  }
  switch (result.kind) {
    case 'asked':
      return askedPage(result.email, to);
    case 'invalid':
      return requestPage({ email, problem: NO_ADDRESS, to });
    case 'too-often':
      return requestPage({ email, problem: TOO_OFTEN, status: 429, to });
  }
}

async function showLink(
  ports: Ports,
  { params: { token }, client, isHead, addLogContext }: PublicRequest<'token'>,
): Promise<Answer> {
  const found = await lookAtSignIn(ports, token, client, { log: !isHead });
  if (found.kind === 'open') return signInLinkPage(token, found.signIn.user.email);
  addLogContext(describeSpent(found));
  return spentLinkPage();
}

async function redeem(ports: Ports, context: PublicRequest<'token'>): Promise<Answer> {
  const { params, client, sessionToken, deviceToken, addLogContext } = context;
  const presented = { session: sessionToken, device: deviceToken };
  const result = await redeemSignIn(ports, params.token, client, presented);
  if (result.kind === 'spent') {
    addLogContext(describeSpent(result));
    return spentLinkPage();
  }
  const to = result.returnTo ?? '/dashboard';
  const kept = { deviceToken: result.deviceToken };
  if (result.kind === 'confirmed') return { kind: 'redirect', to, ...kept };
  return { kind: 'redirect', to, session: { begins: result.sessionToken }, ...kept };
}

function describeEnd({ userId, email }: SignedIn, what: string): AuditedAction {
  return { kind: 'signed-out', subjectId: userId, summary: `${email} ${what}.` };
}

/** For the structured log only: a refused address that belongs to no user has no activity log. */
function describeRequest(kind: 'asked' | 'too-often', userId: string | null): LogFacts {
  if (userId === null) return { reason: 'A sign-in was requested for an address without a user.' };
  return { userId, ...(kind === 'too-often' && { reason: 'Too many sign-in links were asked for.' }) };
}

function describeSpent({ refusal, userId }: SpentSignIn): LogFacts {
  return { reason: `A sign-in link was refused: ${refusal}.`, ...(userId && { userId }) };
}
