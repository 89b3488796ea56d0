import type { FastifyInstance } from 'fastify';

/**
 * Prefixes every address in a response with the path of the site's root address. Routes and pages are
 * written as if the site were at the root of its host; where it is not, the proxy in front has removed that
 * path.
 */
export function leadBelow(app: FastifyInstance, siteUrl: string): void {
  const basePath = basePathOf(siteUrl);
  if (basePath === '') return;
  app.addHook('onSend', async (_request, reply, payload) => {
    for (const name of HEADERS) {
      const to = reply.getHeader(name);
      if (typeof to === 'string' && /^\/(?!\/)/.test(to)) reply.header(name, basePath + to);
    }
    const isPage =
      typeof payload === 'string' && `${reply.getHeader('content-type')}`.startsWith('text/html');
    return isPage ? prefixAddresses(payload, basePath) : payload;
  });
}

/** For a page that is sent without the hooks of a route. */
export function prefixAddresses(page: string, basePath: string): string {
  return page.replace(ADDRESSES, `$1${basePath}`);
}

/** The path of the site's root address, without a slash at its end. */
export function basePathOf(siteUrl: string): string {
  return new URL(siteUrl).pathname.replace(/\/$/, '');
}

const HEADERS = ['location', 'hx-redirect', 'hx-push-url', 'hx-replace-url'];

/**
 * Attributes that contain an address. Only our templates can write one: escaped user input has no quotation
 * marks (`packages/html`).
 */
const ADDRESSES =
  /( (?:href|src|action|formaction|data-(?:endpoint|complete|progress|library|dashboard)|hx-[a-z]+)=")(?=\/(?!\/))/g;
