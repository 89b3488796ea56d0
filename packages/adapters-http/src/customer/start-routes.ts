import { type Html, html } from '@handover/html';
import type { FastifyPluginAsync } from 'fastify';
import type { Wording } from '../messages/wording-of.ts';
import { sendBuyerPage } from '../pages/answer-page.ts';
import { mailIcon } from '../pages/icons.ts';
import { layout } from '../pages/layout.ts';
import { isLocalRequest } from '../requests/local-request.ts';
import { negotiateWording } from '../requests/negotiate-language.ts';

/**
 * The root of the site. `trialVersion` and the link to the trial's mail are shown only to a browser on this
 * machine.
 */
export function startRoutes(trialVersion: string | null): FastifyPluginAsync {
  return async (app) => {
    app.get('/', async (request, reply) => {
      const wording = negotiateWording(request);
      const version = isLocalRequest(request.raw) ? trialVersion : null;
      return sendBuyerPage(reply, 200, wording, startPage(wording, version));
    });
  };
}

/**
 * Describes this site, for buyers who shorten their link and for sellers. `version`: only in a local trial.
 */
export function startPage({ messages, formats }: Wording, version: string | null): Html {
  const { start, my } = messages;
  return layout({
    locale: formats.locale,
    title: 'Handover',
    main: html`${version === null ? '' : TRIAL}<div class="card way">
<h1>${start.heading}</h1>
<p class="lead">${start.lead}</p>
<h2>${start.bought}</h2>
<p>${start.boughtWhat}</p>
<a class="button button-primary" href="/my">${my.title}</a>
<h2>${start.shop}</h2>
<p>${start.shopWhat}</p>
<a class="button" href="/dashboard">${start.signIn}</a>
</div>
${version === null ? '' : html`<p class="aside">${start.version(version)}</p>`}`,
  });
}

const TRIAL = html`<div class="notice" lang="en-GB">${mailIcon}<p>This is a trial on your own machine: e-mails do not leave it. <a href="/dev/mail">Read them here</a>. <a href="/docs">The API reference</a> has a command for every request.</p></div>`;
