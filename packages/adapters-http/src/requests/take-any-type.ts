import type { onRequestAsyncHookHandler } from 'fastify';

/**
 * For routes that take bodies of any type: hides the type from Fastify, which would turn a request away when it is no
 * media type at all. `request.raw` has it still.
 */
export const takeAnyType: onRequestAsyncHookHandler = async (request) => {
  // Fastify lays these over the headers as they came.
  request.headers = { 'content-type': undefined };
};
