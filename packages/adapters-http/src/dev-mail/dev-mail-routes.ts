import type { FastifyPluginAsync } from 'fastify';
import { headersOfFramedMail, sendPage } from '../pages/answer-page.ts';
import { notFoundPage } from '../pages/plain-pages.ts';
import { isLocalRequest } from '../requests/local-request.ts';
import { mailListPage, mailPage } from './dev-mail-pages.ts';
import type { Outbox } from './outbox.ts';

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
