import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';

/** A form has one e-mail address or nothing. */
const BODY_LIMIT = 4 * 1024;

/** Makes the routes of this plugin, and only these, accept the forms of buyers' pages. */
export async function acceptSmallForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody, {
    bodyLimit: BODY_LIMIT,
    parser: (text) => Object.fromEntries(new URLSearchParams(text)),
  });
}
