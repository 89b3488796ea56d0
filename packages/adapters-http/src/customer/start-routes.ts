import { type Html, html } from '@handover/html';
import type { FastifyPluginAsync } from 'fastify';
import { sendPage } from '../pages/answer-page.ts';
import { mailIcon } from '../pages/icons.ts';
import { layout } from '../pages/layout.ts';
import { isLocalRequest } from '../requests/local-request.ts';

/**
 * The root of the site. `trialVersion` and the link to the trial's mail are shown only to a browser on this
 * machine.
 */
export function startRoutes(trialVersion: string | null): FastifyPluginAsync {
  return async (app) => {
    app.get('/', async ({ raw }, reply) =>
      sendPage(reply, 200, startPage(isLocalRequest(raw) ? trialVersion : null)),
    );
  };
}

/**
 * Describes this site, for buyers who shorten their link and for sellers. `version`: only in a local trial.
 */
function startPage(version: string | null): Html {
  return layout({
    title: 'Handover',
    main: html`${version === null ? '' : TRIAL}<div class="card way">
<h1>This site delivers downloads</h1>
<p class="lead">Shops use it to hand over what they sell: sample libraries, plug-ins, e-books, software. After an order, the buyer gets an e-mail with a link to the files.</p>
<h2>You bought something</h2>
<p>Use the link in your e-mail. If you cannot find it, or the link has expired, we mail you new links to everything you own.</p>
<a class="button button-primary" href="/my">Get your downloads again</a>
<h2>You work for a shop</h2>
<p>Orders, products and settings are in the dashboard.</p>
<a class="button" href="/dashboard">Sign in</a>
</div>
${version === null ? '' : html`<p class="aside">Version ${version}</p>`}`,
  });
}

const TRIAL = html`<div class="notice">${mailIcon}<p>This is a trial on your own machine: e-mails do not leave it. <a href="/dev/mail">Read them here</a>. <a href="/docs">The API reference</a> has a command for every request.</p></div>`;
