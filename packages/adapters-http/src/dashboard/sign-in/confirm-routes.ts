import { isFresh, requestSignIn } from '@handover/domain';
import { html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page, type UserRequest } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { hiddenField, postForm } from '../parts/form.ts';
import { longText } from '../parts/long-text.ts';
import { problemAlert } from '../parts/notice.ts';
import { usePasskey } from '../parts/passkey.ts';
import { readReturn, withReturn } from './return-address.ts';
import { NO_MAIL, signInCard, TOO_OFTEN } from './sign-in-pages.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'throttles'>;

/** Leads to the page that asks a user who is signed in to prove it once more, and then back to `to`. */
export function confirmFirst(to: string): Answer {
  return { kind: 'redirect', to: withReturn('/dashboard/confirm', to) };
}

/** Keys and secrets are shown and replaced, and roles given, only shortly after a sign-in, or its confirmation. */
export function confirmRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/confirm', 'signed-in', async (context) => {
      const to = readReturn(context.query.get('to'));
      if (!isFresh(context.user.session, context.now)) return confirmPage(context, to);
      return to === null ? confirmedPage() : { kind: 'redirect', to };
    }),

    action('/confirm', 'signed-in', async (context, form) => {
      const { user, network, client } = context;
      const returnTo = readReturn(form.get('to'));
      const asked = await requestSignIn(ports, { email: user.email, network, client, returnTo });
      return asked.kind === 'asked' ? mailedPage(user.email) : confirmPage(context, returnTo, TOO_OFTEN);
    }),
  ];
}

function confirmPage(
  { user, csrfToken }: Pick<UserRequest, 'user' | 'csrfToken'>,
  to: string | null,
  problem: string | null = null,
): Answer {
  const body = html`${to !== null && hiddenField('to', to)}${submitButton({ words: 'Mail me a link', primary: true })}`;
  return signInCard(
    problem === null ? 200 : 429,
    'Confirm that it is you',
    html`<p class="lead">Keys, secrets and roles open everything, so we ask once more. A link goes to <strong>${longText(user.email)}</strong>. Open it in this browser, and you are back where you were.</p>
${problem && problemAlert(problem)}
${postForm({ action: '/dashboard/confirm', csrfToken, body })}${usePasskey('Use a passkey', to ?? '/dashboard/confirm')}`,
    'You are asked again after 30 minutes.',
  );
}

function mailedPage(email: string): Answer {
  return signInCard(
    200,
    'Check your mail',
    html`<p class="lead">A link is on its way to <strong>${longText(email)}</strong>. Open it in this browser. It works once, for 15 minutes.</p>
${linkButton('/dashboard', { words: 'Go to Overview' })}`,
    NO_MAIL,
  );
}

function confirmedPage(): Answer {
  return signInCard(
    200,
    'You are confirmed',
    html`<p class="lead">Go back to the window that you came from, and press once more.</p>
${linkButton('/dashboard', { words: 'Go to Overview' })}`,
    'You are asked again after 30 minutes.',
  );
}
