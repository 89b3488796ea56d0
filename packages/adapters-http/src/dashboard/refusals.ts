import { type Html, html } from '@handover/html';
import { boltIcon, signpostIcon } from '../pages/icons.ts';
import type { ShownFailure } from '../requests/answer-error.ts';
import type { FailureKind } from '../requests/classify-failure.ts';
import type { SentAnswer } from './dashboard-route.ts';
import { linkButton } from './parts/button.ts';
import { databaseIcon, keyIcon, organisationIcon, pauseIcon } from './parts/icons.ts';

/** The pages for refused access, unknown addresses and failures. Each says what to do. */

export function notFoundAnswer(): SentAnswer {
  return refusal(404, signpostIcon, 'There is nothing at this address', {
    sentence: 'It may have been renamed, or belong to another organisation. Nothing was changed.',
    action: linkButton('/dashboard', { words: 'Go to Overview' }),
  });
}

function noOrganisationAnswer(email: string): SentAnswer {
  return refusal(403, organisationIcon, 'You belong to no organisation', {
    sentence: `You were not invited yet, or you have left your team. Ask an owner to invite ${email}, and open the link in that mail.`,
  });
}

function subscriptionExpiredAnswer(): SentAnswer {
  return refusal(403, pauseIcon, 'The subscription has expired', {
    sentence:
      'Nothing is lost. New orders are held, and delivered automatically once the subscription is renewed. Buyers’ links still work. To renew it, write to the operator of this service.',
  });
}

function wrongRoleAnswer(): SentAnswer {
  return refusal(403, keyIcon, 'This page is for owners and admins', {
    sentence: 'Members work on products and downloads. Ask an owner if you need more.',
    action: linkButton('/dashboard', { words: 'Go to Products' }),
  });
}

/** Why the session does not admit, and the page that says so to its user. */
export const FORBIDDEN = {
  'no-organisation': noOrganisationAnswer,
  'subscription-expired': subscriptionExpiredAnswer,
  role: wrongRoleAnswer,
} as const;

export function otherSiteAnswer(): SentAnswer {
  return alone(403, keyIcon, 'This request came from another site', {
    sentence: 'So nothing was done. If you meant it, open the dashboard and do it there.',
    action: OPEN_DASHBOARD,
  });
}

export function failureAnswer({ kind, status, reference, canLoadAgain }: ShownFailure): SentAnswer {
  const [icon, title, sentence] = FAILURES[kind];
  return alone(status, icon, title, {
    sentence,
    action: canLoadAgain ? linkButton('', { words: 'Try again' }) : OPEN_DASHBOARD,
    reference,
  });
}

const GO_BACK = 'Nothing was changed. Go back and try again.';

const FAILURES: Readonly<Record<FailureKind, readonly [icon: Html, title: string, sentence: string]>> = {
  busy: [pauseIcon, 'We are busy right now', 'Nothing was changed. Try again in a minute.'],
  files: [
    boltIcon,
    'The file store did not answer',
    'Everything but the files goes on, and nothing is lost. Try again in a minute.',
  ],
  full: [
    boltIcon,
    'There is no room left for files',
    'Nothing was changed. Try again once the operator of this service has made room.',
  ],
  removing: [
    pauseIcon,
    'The same file is being removed',
    'Its removal must end first, so nothing was uploaded. Upload it again in 15 minutes.',
  ],
  database: [
    databaseIcon,
    'The database did not answer',
    'Nothing is lost: shops are told to try again. Load this page again in a minute.',
  ],
  slow: [boltIcon, 'The connection was too slow', GO_BACK],
  'too-large': [
    boltIcon,
    'This is too large',
    'More was sent than can be taken at once, so nothing was changed. Go back and send less.',
  ],
  server: [
    boltIcon,
    'Something broke on our side',
    'Orders that come in are safe. Try again; if it stays like this, look for the reference in the server’s log.',
  ],
  unreadable: [boltIcon, 'We could not read this request', GO_BACK],
};

interface Words {
  readonly sentence: string;
  readonly action?: Html;
  readonly reference?: string;
}

const OPEN_DASHBOARD = linkButton('/dashboard', { words: 'Open the dashboard' });

function refusal(status: number, icon: Html, title: string, words: Words): SentAnswer {
  return { kind: 'page', status, title, main: refusalMain(icon, title, words) };
}

function alone(status: number, icon: Html, title: string, words: Words): SentAnswer {
  return {
    kind: 'alone',
    status,
    title,
    main: html`<div class="alone-card">${refusalMain(icon, title, words)}</div>${words.reference !== undefined && html`<p class="alone-note">Reference <span class="mono">${words.reference}</span></p>`}`,
  };
}

function refusalMain(icon: Html, title: string, { sentence, action }: Words): Html {
  return html`<section class="card"><div class="empty"><span class="tile">${icon}</span><h1>${title}</h1><p>${sentence}</p>${action && html`<footer role="none">${action}</footer>`}</div></section>`;
}
