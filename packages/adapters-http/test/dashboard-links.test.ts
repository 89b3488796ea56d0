import { expect } from 'vitest';
import { fillOverview } from './fill-overview.ts';
import { decodeHtml, type OpenedDashboard } from './open-dashboard.ts';
import { deliverOrder, download, sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const PAGES_AT_MOST = 300;

/** Every page that links lead to from the start, by its address, and the pages that name it. */
async function followLinks(dashboard: OpenedDashboard) {
  const owner = await dashboard.signIn('owner');
  const origin = 'http://dashboard';
  const namedBy = new Map([['/dashboard/overview', 'the start']]);
  const pages = new Map<string, { readonly status: number; readonly type: string; readonly body: string }>();
  // What is added on the way is come to as well.
  for (const address of namedBy.keys()) {
    if (pages.size >= PAGES_AT_MOST) break;
    const { statusCode, headers, body } = await owner.get(address);
    pages.set(address, { status: statusCode, type: String(headers['content-type']), body });
    if (!address.startsWith('/dashboard')) continue;
    for (const [, link = ''] of body.matchAll(/(?:href|hx-get)="([^"]*)"/g)) {
      const { origin: at, pathname, search } = new URL(decodeHtml(link), `${origin}${address}`);
      if (at === origin && !namedBy.has(pathname + search)) namedBy.set(pathname + search, address);
    }
  }
  return { pages, namedBy };
}

test('every link in the dashboard leads to a page', async ({ dashboard }) => {
  await fillOverview(dashboard);
  await deliverOrder(dashboard, { orderId: 'l1' });
  await sellByHand(dashboard, 'Noa Berg', 'noa@example.com');
  await download(dashboard, (await deliverOrder(dashboard, { orderId: 'l2' })).linkId, 3, false);
  const { pages, namedBy } = await followLinks(dashboard);
  const dead = [...pages].filter(([, { status }]) => status >= 400);
  expect(dead.map(([address, { status }]) => [namedBy.get(address), address, status])).toEqual([]);
  expect(pages.size).toBeGreaterThan(30);
});

test('every page uses the words of the field, and names vendors instead of labels', async ({ dashboard }) => {
  await fillOverview(dashboard);
  await deliverOrder(dashboard, { orderId: 'samcart:901247', platform: 'cart-a' });
  await sellByHand(dashboard, 'Noa Berg', 'noa@example.com');
  await download(dashboard, (await deliverOrder(dashboard, { orderId: 'l2' })).linkId, 3, false);
  const { pages } = await followLinks(dashboard);
  const found = [...pages].flatMap(([address, { body }]) => {
    if (!address.startsWith('/dashboard')) return [];
    const [words] = PRIVATE_WORDS.exec(readText(body)) ?? [];
    return words ? [[address, words]] : [];
  });
  expect(found).toEqual([]);
});

/** Mendoza is the name of a time zone. In an address of a webhook a label follows a slash, and in the name of a header a hyphen. */
const PRIVATE_WORDS =
  /(?<![/\w-])(?:storefront-[ab]|payments-a|checkout-a(?:-classic)?|cart-a)(?![\w-])|whoever|stands for|not ours|by itself|waits for|\bmend(?!oza)|hear what|ActionItem/i;

/** The text, and what screen readers are told; not what was sent in. */
function readText(body: string): string {
  const labels = [...body.matchAll(/(?:aria-label|placeholder|title)="([^"]*)"/g)].map(([, label]) => label);
  const text = body.replace(/<(script|style|pre)[\s\S]*?<\/\1>|<wbr>/g, '').replace(/<[^>]*>/g, ' ');
  return decodeHtml([text, ...labels].join(' ')).replace(/\s+/g, ' ');
}

test('text that a shop or a buyer writes into an order stays text on every page', async ({ dashboard }) => {
  const hostile = '<b id=hostile>"\'';
  const { linkId } = await deliverOrder(dashboard, {
    orderId: `1${hostile}`,
    orderNumber: hostile,
    currency: hostile,
    customer: { name: hostile, email: 'eva@example.com' },
  });
  await download(dashboard, linkId, 3, false);
  const { pages } = await followLinks(dashboard);
  const broken = [...pages].filter(
    ([, { type, body }]) => type.startsWith('text/html') && body.includes('<b id=hostile'),
  );
  expect(broken.map(([address]) => address)).toEqual([]);
  const telling = [...pages.values()].filter(({ body }) => decodeHtml(body).includes(hostile));
  expect(telling.length).toBeGreaterThan(3);
});
