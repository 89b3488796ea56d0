import cookies, { type CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One cookie that this site sets and reads, and that no script sees. */
export interface SiteCookie {
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/** Reads and sets cookies, for the routes of this plugin. */
export async function acceptCookies(app: FastifyInstance): Promise<void> {
  await app.register(cookies);
}

/** `__Host-` and Secure where the site is reached over https; browsers refuse both elsewhere. */
export function createSiteCookie(siteUrl: string, bareName: string, maxAge: number): SiteCookie {
  const secure = siteUrl.startsWith('https:');
  const name = secure ? `__Host-${bareName}` : bareName;
  const options: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure };
  return {
    // Anybody can send a cookie, and an empty one says nothing.
    read: ({ cookies }) => cookies[name] || null,
    set: (reply, value) => void reply.setCookie(name, value, { ...options, maxAge }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
