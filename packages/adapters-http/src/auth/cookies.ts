import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One cookie of this site, hidden from scripts. */
export interface SiteCookie {
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * Adds Secure and a prefix where the site uses https; browsers refuse both otherwise. `path`: browsers send it only below
 * that path, where `__Host-` is not allowed.
 */
export function createSiteCookie(siteUrl: string, bareName: string, maxAge: number, path = '/'): SiteCookie {
  const secure = siteUrl.startsWith('https:');
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  const name = secure ? `${prefix}${bareName}` : bareName;
  const options: CookieSerializeOptions = { path, httpOnly: true, sameSite: 'lax', secure };
  return {
    // Any client can send a cookie; an empty one counts as absent.
    read: ({ cookies }) => cookies[name] || null,
    set: (reply, value) => void reply.setCookie(name, value, { ...options, maxAge }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
