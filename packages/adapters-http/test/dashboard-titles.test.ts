import { expect, test } from 'vitest';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';

test('every page of the dashboard has a title of its own, and so has each filter of a list', async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const owner = await dashboard.signIn('owner');
  const addresses = new Set([
    ...(await listPages(dashboard)).values(),
    ...FILTERED.map((page) => `/dashboard/${page}`),
  ]);
  const titles: [title: string, address: string][] = [];
  for (const address of [...addresses].filter((one) => !SAME.test(one))) {
    const { body } = await owner.get(address);
    titles.push([decodeHtml(/<title>([^<]*)<\/title>/.exec(body)?.[1] ?? ''), address]);
  }
  expect(titles.length).toBeGreaterThan(60);
  const shared = [...Map.groupBy(titles, ([title]) => title)].filter(([, pages]) => pages.length > 1);
  expect(shared).toEqual([]);
});

/** Other addresses of a page that has one already. */
const SAME =
  /\/reports(?:\/sales)?\?from=2026-03-03&to=2026-04-01|\/webhook-log\/[^?]+\?q=|[?&](?:shop|addresses)=/;

const FILTERED = [
  'purchases?q=reed',
  'purchases?source=storefront-a',
  'purchases?receipt=refused',
  'purchases?status=unopened',
  'purchases?from=2026-01-01',
  'purchases?from=2026-01-01&to=2026-01-31',
  'webhook-log?q=reed',
  'webhook-log?status=error',
  'webhook-log?status=error&q=reed',
  'downloads?q=reed',
  'downloads?state=completed',
  'products?q=reed',
  'products?status=draft',
  'settings/activity?what=all',
  'settings/activity?via=api-key',
  'settings/activity?from=2026-01-01',
  'reports?from=2026-02-01&to=2026-02-03',
  'reports/sales?from=2026-02-01&to=2026-02-03',
  'search?q=reed',
];
