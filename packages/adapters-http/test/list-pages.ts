import { decodeHtml, type OpenedDashboard } from './open-dashboard.ts';

/** Of each route one page that links lead to from Overview, for each set of names in its query. */
export async function listPages(dashboard: OpenedDashboard): Promise<ReadonlyMap<string, string>> {
  const owner = await dashboard.signIn('owner');
  const pages = new Map<string, string>();
  const addresses = new Map([['overview ', '/dashboard/overview']]);
  for (const [kind, address] of addresses) {
    const { headers, body, statusCode } = await owner.get(address);
    if (statusCode !== 200 || 'content-disposition' in headers) continue;
    pages.set(kind, address);
    for (const [, link = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const { pathname, search, searchParams } = new URL(decodeHtml(link), `http://dashboard${address}`);
      const route = pathname.replace('/dashboard/', '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
      const [name = ''] = [...searchParams.keys()].filter((one) => one !== 'before');
      if (pathname.startsWith('/dashboard/') && !addresses.has(`${route} ${name}`))
        addresses.set(`${route} ${name}`, pathname + search);
    }
  }
  return pages;
}
