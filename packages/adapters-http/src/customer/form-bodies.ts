import type { FastifyInstance } from 'fastify';

/** A form has one e-mail address or nothing. */
const BODY_LIMIT = 4 * 1024;

/** Makes the routes of this plugin, and only these, accept the forms of buyers' pages. */
export function acceptSmallForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );
}
