import { type Html, html } from '@handover/html';
import type { FastifyPluginAsync } from 'fastify';
import { headersOfFramedMail, sendPage } from '../pages/answer-page.ts';
import { mailIcon } from '../pages/icons.ts';
import { layout } from '../pages/layout.ts';
import { notFoundPage } from '../pages/plain-pages.ts';
import { isLocalRequest } from '../requests/local-request.ts';
import type { Outbox, OutboxEntry, OutboxMail } from './outbox.ts';

interface MailRoute {
  readonly Params: { readonly name: string };
}

/**
 * Shows the mail of a local trial. It contains sign-in links, so for any browser that is not on this
 * machine these routes answer 404.
 */
export function devMailRoutes(outbox: Outbox): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async ({ raw }, reply) => {
      if (!isLocalRequest(raw)) return sendPage(reply, 404, notFoundPage());
    });

    app.get('/dev/mail', async (_request, reply) => sendPage(reply, 200, mailListPage(await outbox.list())));

    app.get<MailRoute>('/dev/mail/:name', async (request, reply) => {
      const mail = await outbox.read(request.params.name);
      return mail
        ? sendPage(reply, 200, mailPage(mail), { frames: 'own' })
        : sendPage(reply, 404, notFoundPage());
    });

    app.get<MailRoute>('/dev/mail/:name/html', async (request, reply) => {
      const mail = await outbox.read(request.params.name);
      if (!mail?.html) return sendPage(reply, 404, notFoundPage());
      return reply.headers(FRAMED_HEADERS).send(openLinksOutside(mail.html));
    });
  };
}

/** A mail is foreign HTML: it may render and open its links in new windows, and nothing more. */
const FRAMED_HEADERS = headersOfFramedMail('allow-popups allow-popups-to-escape-sandbox');

/** The pages that a mail links to cannot be framed, so each link opens a new window. */
function openLinksOutside(html: string): string {
  const base = '<base target="_blank">';
  const head = /<head[^<>]*>/i.exec(html);
  if (!head) return base + html;
  const end = head.index + head[0].length;
  return html.slice(0, end) + base + html.slice(end);
}

export function mailListPage(mails: readonly OutboxEntry[]): Html {
  const list = html`<ul class="card mails">${mails.map(mailRow)}</ul>`;
  return layout({
    title: 'Mail',
    wide: true,
    main: html`<div class="head">
<h1>Mail</h1>
<p class="meta">Kept here instead of sent, newest first.</p>
</div>
${mails.length > 0 ? list : NO_MAIL}`,
  });
}

export function mailPage(mail: OutboxMail): Html {
  return layout({
    title: mail.subject,
    wide: true,
    main: html`<div class="head">
<a class="back" href="/dev/mail">All mail</a>
<h1>${mail.subject}</h1>
<dl class="facts">
<dt>From</dt><dd>${mail.from}</dd>
<dt>To</dt><dd>${mail.to}</dd>
${mail.replyTo === null ? '' : html`<dt>Reply-To</dt><dd>${mail.replyTo}</dd>`}
<dt>Kept</dt><dd>${timeElement(mail.sentAt)}</dd>
</dl>
</div>
${mail.html === '' ? '' : framedHtml(mail.name)}
<h2 class="section">Plain text</h2>
<pre class="mail-text">${mail.text}</pre>`,
  });
}

function framedHtml(name: string): Html {
  const address = `/dev/mail/${encodeURIComponent(name)}/html`;
  return html`<iframe class="mail-frame" title="The mail as it looks" src="${address}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
}

function mailRow({ name, subject, to, sentAt }: OutboxEntry): Html {
  return html`<li><a href="/dev/mail/${encodeURIComponent(name)}"><span class="subject">${subject}</span><span class="meta">To ${to}</span>${timeElement(sentAt)}</a></li>`;
}

function timeElement(at: Date): Html {
  return html`<time class="meta" datetime="${at.toISOString()}">${TIME_FORMAT.format(at)} UTC</time>`;
}

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

const NO_MAIL = html`<div class="card empty">
<span class="tile">${mailIcon}</span>
<h2>No mail yet</h2>
<p>Receipts for your buyers will appear here. Send a test order, then load this page again.</p>
<div class="choices"><a class="button button-primary" href="/dashboard/settings/integrations">Send a test order</a><a class="button" href="/dev/mail">Load again</a></div>
</div>`;
