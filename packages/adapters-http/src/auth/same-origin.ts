import type { FastifyRequest } from 'fastify';

/**
 * Whether a request that changes something comes from a page of ours. Browsers say so in Sec-Fetch-Site, which no page
 * can forge; where it is missing (http on a name that is not local), the Origin must be ours.
 */
export function isSameOrigin(request: FastifyRequest, siteUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  // What sends neither is no browser, or a very old one: the token in the form is its proof.
  if (origin === undefined) return true;
  return origin === new URL(siteUrl).origin || origin === `${request.protocol}://${request.host}`;
}
