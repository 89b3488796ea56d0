import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseAsJson, refuseAsText } from '../requests/answer-error.ts';
import { negotiateWording } from '../requests/negotiate-language.ts';
import { headersOfBuyerPages } from './answer-page.ts';
import { basePathOf, prefixAddresses } from './lead-below.ts';
import { notFoundPage } from './plain-pages.ts';

/**
 * For URLs that cannot be decoded, or with a segment longer than any of our names: the answer is 404, to a buyer whose
 * link was mangled as a page. The framework runs no hooks here.
 */
export function answerUnreadableAddress(siteUrl: string) {
  const basePath = basePathOf(siteUrl);
  return (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    request.log.info({ method: request.method, route: 'none', status: 404 }, 'request');
    if (/^\/(?:api|webhooks)\//.test(request.url)) {
      const answer = request.url.startsWith('/api/reports/') ? refuseAsText : refuseAsJson;
      answer(reply, 404, 'There is nothing here: the address cannot be read.');
      return;
    }
    const wording = negotiateWording(request);
    const page = prefixAddresses(String(notFoundPage(wording)), basePath);
    reply.code(404).headers(headersOfBuyerPages(wording)).send(page);
  };
}
