import type { FastifyInstance } from 'fastify';
import type { HttpOptions } from '../http-ports.ts';

/** Longer than a replica may be behind. */
const OWN_CHANGES_S = 10;
const COOKIE = 'handover-changed';
const AREAS = /^\/(api|dashboard)(\/|$)/;

/**
 * Lists, reports and pages may be read from a replica. After an action, the browser reads from the primary for a while,
 * so that it sees what it did; a client of the API does so with `Cache-Control: no-cache`. Callers were identified
 * before, on the primary.
 */
export function allowLateReads(
  app: FastifyInstance,
  { allowLateReads: allow, siteUrl }: Pick<HttpOptions, 'allowLateReads' | 'siteUrl'>,
): void {
  if (!allow) return;
  const secure = siteUrl.startsWith('https:') ? '; Secure' : '';
  app.addHook('preHandler', (request, _reply, done) => {
    const { cookie = '', 'cache-control': control = '' } = request.headers;
    const wantsNow = cookie.includes(`${COOKIE}=`) || /\bno-cache\b/.test(control);
    if (request.method === 'GET' && AREAS.test(request.url) && !wantsNow) allow(done);
    else done();
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || !AREAS.test(request.url)) return;
    // Fastify adds it to the others.
    reply.header(
      'set-cookie',
      `${COOKIE}=1; Max-Age=${OWN_CHANGES_S}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
  });
}
