import { type Html, type HtmlValue, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { hiddenField, textField } from '../parts/form.ts';
import { longText } from '../parts/long-text.ts';
import { usePasskey } from '../parts/passkey.ts';
import { withReturn } from './return-address.ts';

export const TOO_OFTEN = 'Too many links were asked for. Use the last one, or try again in 15 minutes.';
export const NO_MAIL =
  'No mail? Check your spam folder. The operator of this service can also make a link by hand.';
export const CUT_LINK = 'Some mail programs cut long links short. Then copy the whole line from the mail.';

/** Asks for the address that the sign-in link is mailed to. `to`: the page to go back to afterwards. */
export function requestPage({
  email,
  problem,
  status = problem === null ? 200 : 400,
  to,
}: {
  readonly email: string;
  readonly problem: string | null;
  readonly status?: number;
  readonly to: string | null;
}): Answer {
  const field = textField({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    required: true,
    value: email,
    problem,
  });
  return signInCard(
    status,
    'Sign in',
    html`<p class="lead">We mail you a link that signs you in. There is no password to remember.</p>
<form class="form" method="post" action="/dashboard/sign-in">${to !== null && hiddenField('to', to)}${field}${submitButton({ words: 'Mail me a link', primary: true })}</form>${usePasskey('Sign in with a passkey', to)}`,
    html`Bought something and looking for your download? Open the link in the shop’s mail, or <a href="/my">ask for a new one</a>.`,
  );
}

/** The same for every address, so that it does not reveal who is a user. */
export function askedPage(email: string, to: string | null): Answer {
  return signInCard(
    200,
    'Check your mail',
    html`<p class="lead">If <strong><bdi>${email}</bdi></strong> belongs to a user here, a link is on its way. It works once, for 15 minutes.</p>
${linkButton(withReturn('/dashboard/sign-in', to), { words: 'Use another address' })}`,
    NO_MAIL,
  );
}

export function signInLinkPage(token: string, email: string): Answer {
  return signInCard(
    200,
    'Sign in to Handover',
    html`<p class="lead">You will be signed in as <strong>${longText(email)}</strong> in this browser.</p>
<form class="form" method="post" action="/dashboard/sign-in/${encodeURIComponent(token)}">${submitButton({ words: 'Sign in', primary: true })}</form>`,
    'The link works once. On a machine that others use, sign out when you are done.',
  );
}

export function spentLinkPage(): Answer {
  return signInCard(
    410,
    'This link does not work any more',
    html`<p class="lead">A link signs in once, and within 15 minutes. Ask for a new one: it takes a moment.</p>
${linkButton('/dashboard/sign-in', { words: 'Get a new link', primary: true })}`,
    CUT_LINK,
  );
}

/** The link was good, but the session that it began is lost. */
export function noCookiesPage(to: string | null): Answer {
  return signInCard(
    403,
    'This browser keeps no cookies',
    html`<p class="lead">A cookie of this site signs you in, and this browser did not keep it. Allow cookies for this site, then ask for a new link.</p>
${linkButton(withReturn('/dashboard/sign-in', to), { words: 'Get a new link', primary: true })}`,
    'The link that you opened is used up: it signs in once.',
  );
}

/** A page for someone who is signing in. */
export function signInCard(status: number, title: string, content: Html, note: HtmlValue): Answer {
  const main = html`<section class="card alone-card"><section><h1>${title}</h1>${content}</section></section><p class="alone-note">${note}</p>`;
  return { kind: 'alone', status, title, main };
}
