import { html } from 'ghtml';
import { boltIcon, signpostIcon } from '../pages/icons.ts';
import type { Answer } from './dashboard-route.ts';
import { FORM_TOKEN_FIELD } from './form-token.ts';
import { linkButton, submitButton } from './parts/button.ts';
import { postForm } from './parts/form.ts';
import { databaseIcon, keyIcon, organisationIcon, pauseIcon } from './parts/icons.ts';

/** What a page is answered with when it may not be seen, is not there, or broke. Each says what to do. */

export function notFoundAnswer(): Answer {
  return refusal(404, signpostIcon, 'There is nothing at this address', {
    sentence: 'It may have been renamed, or belong to another organisation. Nothing was changed.',
    action: linkButton('/dashboard', { words: 'Go to the start' }),
  });
}

export function noOrganisationAnswer(email: string): Answer {
  return refusal(403, organisationIcon, 'You belong to no organisation yet', {
    sentence: `Ask an owner to add ${email} to the team. Then load this page again.`,
  });
}

export function subscriptionExpiredAnswer(): Answer {
  return refusal(403, pauseIcon, 'The subscription has expired', {
    sentence:
      'Nothing is lost. Orders that come in are kept and held, and they are delivered by themselves once the subscription is renewed. Buyers’ links go on working. To renew it, write to whoever runs this installation.',
  });
}

export function wrongRoleAnswer(): Answer {
  return refusal(403, keyIcon, 'This page is for owners and admins', {
    sentence: 'You are a member: products and downloads are yours to work on. Ask an owner if you need more.',
    action: linkButton('/dashboard', { words: 'Go to the start' }),
  });
}

export function otherSiteAnswer(): Answer {
  return alone(403, keyIcon, 'This request came from another site', {
    sentence: 'So nothing was done. If you meant it, open the dashboard and do it there.',
    action: linkButton('/dashboard', { words: 'Open the dashboard' }),
  });
}

/** `reference` finds the request in the log. */
export function failureAnswer(status: number, reference: string): Answer {
  const again = { sentence: `${failureWords(status)} Reference ${reference}.` };
  if (status === 503) return alone(status, databaseIcon, 'The database did not answer', again);
  if (status >= 500) return alone(status, boltIcon, 'Something broke on our side', again);
  return alone(status, boltIcon, 'We could not read this request', again);
}

function failureWords(status: number): string {
  if (status === 503)
    return 'Nothing is lost: shops are told to try again. Load this page again in a minute.';
  if (status >= 500) {
    return 'Orders that come in are safe. Go back and try again; if it stays like this, look for the reference in the server’s log.';
  }
  return 'Nothing was changed. Go back and try again.';
}

/** The form was not taken, but nothing that was typed is lost: it stands here, to be sent once more. */
export function keptFormAnswer(
  why: { readonly kind: 'stale'; readonly ageMs: number | null } | { readonly kind: 'signed-out' },
  {
    action,
    form,
    formToken,
  }: { readonly action: string; readonly form: URLSearchParams; readonly formToken: string },
): Answer {
  const typed = [...form].filter(([name]) => name !== FORM_TOKEN_FIELD);
  const fields = typed
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
    .join('');
  const button = html`<div>!${submitButton({ words: 'Press once more', primary: true })}</div>`;
  const title = why.kind === 'stale' ? 'Please press once more' : 'You were signed out';
  const main = html`<section class="card alone-card narrow"><section>
<h1>${title}</h1><p class="lead">!${why.kind === 'stale' ? staleWords(why.ageMs) : SIGNED_OUT_WORDS}</p>
!${typedList(typed)}!${postForm({ action, formToken, body: fields + button })}
</section></section>`;
  return {
    kind: why.kind === 'stale' ? 'page' : 'alone',
    status: why.kind === 'stale' ? 409 : 401,
    title,
    main,
  };
}

const SIGNED_OUT_WORDS =
  'We kept what you typed. <a href="/dashboard/sign-in" target="_blank" rel="noopener">Sign in again</a> in a new window, then come back here and press once more.';

function staleWords(ageMs: number | null): string {
  const age = ageMs === null ? 'from before you signed in' : `from ${ageInWords(ageMs)}`;
  return html`This page is ${age}. We kept what you typed; please press once more.`;
}

export function ageInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'a moment ago';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

function typedList(typed: readonly (readonly [string, string])[]): string {
  const shown = typed.filter(([, value]) => value.trim() !== '');
  if (shown.length === 0) return '';
  return html`<dl class="kept">!${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${isSecret(name) ? '••••••' : value}</dd>`)}</dl>`;
}

function isSecret(name: string): boolean {
  return /secret|password|key/i.test(name);
}

interface Words {
  readonly sentence: string;
  /** HTML. */
  readonly action?: string;
}

function refusal(status: number, icon: string, title: string, words: Words): Answer {
  return { kind: 'page', status, title, main: refusalMain(icon, title, words) };
}

function alone(status: number, icon: string, title: string, words: Words): Answer {
  return {
    kind: 'alone',
    status,
    title,
    main: html`<div class="alone-card">!${refusalMain(icon, title, words)}</div>`,
  };
}

function refusalMain(icon: string, title: string, { sentence, action = '' }: Words): string {
  return html`<section class="card"><div class="empty"><span class="tile">!${icon}</span><h1>${title}</h1><p>${sentence}</p>!${action ? html`<footer>!${action}</footer>` : ''}</div></section>`;
}
