import { lookAtSignIn, redeemSignIn, requestSignIn, signOut, signOutEverywhere } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { Cookies } from '../cookies.ts';
import { action, type DashboardRoute, page } from '../dashboard-route.ts';
import { askedPage, requestPage, signInLinkPage, spentLinkPage } from './sign-in-pages.ts';

/** In and out of the dashboard: no passwords, a mailed link that works once. */
export function signInRoutes(ports: HttpPorts, cookies: Cookies): readonly DashboardRoute[] {
  return [
    page('/sign-in', 'anyone', async ({ user }) =>
      user ? { kind: 'redirect', to: '/dashboard' } : requestPage({ email: '', problem: null }),
    ),

    action('/sign-in', 'anyone', async ({ network }, form) => {
      const email = form.get('email') ?? '';
      const result = await requestSignIn(ports, { email, network });
      switch (result.kind) {
        case 'asked':
          return askedPage(result.email);
        case 'invalid':
          return requestPage({ email, problem: 'Write an e-mail address, such as jana@example.com.' });
        case 'too-often':
          return requestPage({
            email,
            problem: 'Too many links were asked for. Use the last one, or try again in 15 minutes.',
          });
      }
    }),

    // Programs that look into mails open every link. So opening it does nothing but show a button.
    page('/sign-in/:token', 'anyone', async ({ params: { token = '' } }) => {
      const signIn = await lookAtSignIn(ports, token);
      return signIn ? signInLinkPage(token, signIn.user.email) : spentLinkPage();
    }),

    action('/sign-in/:token', 'anyone', async ({ params: { token = '' } }) => {
      const result = await redeemSignIn(ports, token);
      if (result.kind === 'spent') return spentLinkPage();
      return { kind: 'redirect', to: '/dashboard', cookie: cookies.setSession(result.sessionToken) };
    }),

    action('/sign-out', 'signed-in', async ({ sessionToken }) => {
      await signOut(ports, sessionToken);
      return { kind: 'redirect', to: '/dashboard/sign-in', cookie: cookies.clearSession() };
    }),

    action('/sign-out-everywhere', 'signed-in', async ({ user }) => {
      await signOutEverywhere(ports, user.userId);
      return { kind: 'redirect', to: '/dashboard/sign-in', cookie: cookies.clearSession() };
    }),
  ];
}
