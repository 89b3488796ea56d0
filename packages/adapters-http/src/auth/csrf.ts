import { createHmac } from 'node:crypto';
import { isSameSecret } from '@handover/platform-contract';
import type { FastifyRequest } from 'fastify';

/** The hidden field that every form has. Requests without a form send the token in this header. */
export const FORM_TOKEN_FIELD = 'form-token';
const FORM_TOKEN_HEADER = 'x-form-token';

const LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * A CSRF token: its creation time, and a MAC over it keyed with the session's own token, which no other
 * site can read. Nothing is stored for it.
 */
export function issueCsrfToken(sessionToken: string, now: Date): string {
  const issuedAt = now.getTime().toString(36);
  return `${issuedAt}.${macOf(sessionToken, issuedAt).toString('base64url')}`;
}

export type CsrfTokenCheck =
  | { readonly kind: 'good' }
  /**
   * The page is too old, or its session is over. `ageMs`: the age that the page itself states; null if it
   * states none.
   */
  | { readonly kind: 'stale'; readonly ageMs: number | null };

export function checkCsrfToken(token: string, sessionToken: string, now: Date): CsrfTokenCheck {
  const [issuedAt = '', mac = ''] = token.split('.');
  const age = now.getTime() - Number.parseInt(issuedAt, 36);
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(sessionToken, issuedAt);
  const isOurs = isSameSecret(given, expected);
  if (isOurs && age < LIFETIME_MS) return { kind: 'good' };
  return { kind: 'stale', ageMs: Number.isFinite(age) && age >= 0 ? age : null };
}

/** The token of a request: from its header, or else from its form. Empty when both lack it. */
export function readCsrfToken({ headers }: FastifyRequest, form?: URLSearchParams): string {
  const header = headers[FORM_TOKEN_HEADER];
  return (typeof header === 'string' ? header : form?.get(FORM_TOKEN_FIELD)) ?? '';
}

/**
 * Whether a request that changes something comes from one of our pages. Browsers state this in
 * Sec-Fetch-Site, which no page can forge; where it is missing (http on a name that is not local), the
 * Origin must be ours.
 */
export function isSameOrigin(request: FastifyRequest, siteUrl: string): boolean {
  const { origin, 'sec-fetch-site': from } = request.headers;
  if (from !== undefined) return from === 'same-origin';
  // A client that sends neither is a very old browser or not a browser: the CSRF token is its proof.
  if (origin === undefined) return true;
  const site = new URL(siteUrl);
  if (origin === site.origin) return true;
  // Where the site has https, anybody on the network between can answer for its host over http.
  if (site.protocol === 'https:' && request.protocol === 'http') return false;
  return origin === `${request.protocol}://${request.host}`;
}

function macOf(sessionToken: string, issuedAt: string): Buffer {
  return createHmac('sha256', sessionToken).update(`form ${issuedAt}`).digest().subarray(0, 18);
}
