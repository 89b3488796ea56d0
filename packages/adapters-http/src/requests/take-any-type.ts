import type { onRequestHookHandler } from 'fastify';

/**
 * For routes that accept bodies of any type: hides the type from Fastify, which rejects malformed media
 * types. `request.raw` still has it.
 */
export const takeAnyType: onRequestHookHandler = (request, _reply, done) => {
  // Fastify merges these with the original headers.
  request.headers = { 'content-type': undefined };
  done();
};
