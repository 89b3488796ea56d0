import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';

/** An address, or nothing at all. */
const BODY_LIMIT = 4 * 1024;

/** Makes the routes of this plugin, and only these, take the forms that buyers' pages send. */
export async function acceptSmallForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody, {
    bodyLimit: BODY_LIMIT,
    parser: (text) => Object.fromEntries(new URLSearchParams(text)),
  });
}
