import { type Html, html } from '@handover/html';
import { boltIcon, signpostIcon } from '../pages/icons.ts';
import type { Failure } from '../requests/classify-failure.ts';
import type { Answer } from './dashboard-route.ts';
import { linkButton } from './parts/button.ts';
import { databaseIcon, keyIcon, organisationIcon, pauseIcon } from './parts/icons.ts';

/** The pages for refused access, unknown addresses and failures. Each says what to do. */

export function notFoundAnswer(): Answer {
  return refusal(404, signpostIcon, 'There is nothing at this address', {
    sentence: 'It may have been renamed, or belong to another organisation. Nothing was changed.',
    action: linkButton('/dashboard', { words: 'Go to Overview' }),
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
      'Nothing is lost. New orders are held, and delivered automatically once the subscription is renewed. Buyers’ links still work. To renew it, write to the operator of this service.',
  });
}

export function wrongRoleAnswer(): Answer {
  return refusal(403, keyIcon, 'This page is for owners and admins', {
    sentence: 'Members work on products and downloads. Ask an owner if you need more.',
    action: linkButton('/dashboard', { words: 'Go to Products' }),
  });
}

export function otherSiteAnswer(): Answer {
  return alone(403, keyIcon, 'This request came from another site', {
    sentence: 'So nothing was done. If you meant it, open the dashboard and do it there.',
    action: linkButton('/dashboard', { words: 'Open the dashboard' }),
  });
}

/** `reference` finds the request in the log. */
export function failureAnswer({ status, isBusy }: Failure, reference: string): Answer {
  const words = isBusy ? 'Nothing was changed. Try again in a minute.' : failureWords(status);
  const again = { sentence: `${words} Reference ${reference}.` };
  if (isBusy) return alone(status, pauseIcon, 'We are busy right now', again);
  if (status === 408) return alone(status, boltIcon, 'The connection was too slow', again);
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

interface Words {
  readonly sentence: string;
  readonly action?: Html;
}

function refusal(status: number, icon: Html, title: string, words: Words): Answer {
  return { kind: 'page', status, title, main: refusalMain(icon, title, words) };
}

function alone(status: number, icon: Html, title: string, words: Words): Answer {
  return {
    kind: 'alone',
    status,
    title,
    main: html`<div class="alone-card">${refusalMain(icon, title, words)}</div>`,
  };
}

function refusalMain(icon: Html, title: string, { sentence, action }: Words): Html {
  return html`<section class="card"><div class="empty"><span class="tile">${icon}</span><h1>${title}</h1><p>${sentence}</p>${action && html`<footer role="none">${action}</footer>`}</div></section>`;
}
