import { expect } from 'vitest';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { deliverOrder, sendUnmatched } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const PATHS = [
  '/overview',
  '/purchases',
  '/products',
  '/webhook-log',
  '/settings/team',
  '/settings/security',
];

test.each(PATHS)('the first heading of %s is its title, and the sidebar is a landmark', async (path) => {
  const dashboard = await openDashboard();
  const { body } = await (await dashboard.signIn('owner')).get(`/dashboard${path}`);
  expect(/<h\d/.exec(body)?.[0]).toBe('<h1');
  const frame = body.slice(body.indexOf('<div class="frame">'), body.indexOf('<main'));
  expect(frame.match(/<header class="(bar|side)">/g)).toHaveLength(2);
  expect(frame).toContain('<ul aria-label="Settings">');
});

test('the purchases of one order have links of different names', async ({ dashboard }) => {
  await deliverOrder(dashboard, { orderNumber: '#77' });
  const { body } = await (await dashboard.signIn('owner')).get('/dashboard/purchases');
  const { name } = dashboard.shop.product;
  expect(body).toContain(`<bdi>#77</bdi><span class="visually-hidden">, ${name}</span>`);
  expect(body).toContain(`Select #77, ${name}<`);
});

test('a purchase links the buyer’s address, with the order as the subject', async ({ dashboard }) => {
  const { purchaseId } = await deliverOrder(dashboard, { orderNumber: '#77' });
  const { body } = await (await dashboard.signIn('owner')).get(`/dashboard/purchases/${purchaseId}`);
  expect(decodeHtml(body)).toContain('href="mailto:ana@example.com?subject=%2377"');
});

test('the title of a search says what was searched', async () => {
  const owner = await (await openDashboard()).signIn('owner');
  expect((await owner.get('/dashboard/search?q=ana')).body).toContain(
    '<title>ana · Search · Handover</title>',
  );
  expect((await owner.get('/dashboard/search')).body).toContain('<title>Search · Handover</title>');
});

test.each(['/purchases', '/products', '/settings/team'])('each row of %s has a header', async (path) => {
  const dashboard = await openDashboard();
  await deliverOrder(dashboard);
  const { body } = await (await dashboard.signIn('owner')).get(`/dashboard${path}`);
  const rows = body.slice(body.indexOf('<tbody>')).match(/<tr>/g) ?? [];
  expect(rows.length).toBeGreaterThan(0);
  expect(body.match(/<tr><th scope="row"/g)).toHaveLength(rows.length);
});

test('beside each cell of a purchase its order is said, without the name of its checkbox', async () => {
  const dashboard = await openDashboard();
  await deliverOrder(dashboard, { orderNumber: '#77' });
  const { body } = await (await dashboard.signIn('owner')).get('/dashboard/purchases');
  expect(body).toMatch(/<th scope="row" abbr="#77"[^>]*>.*Select #77, Pads/);
});

test('no page has an id twice, and each label names a control', async ({ dashboard }) => {
  await fillLongest(dashboard);
  const owner = await dashboard.signIn('owner');
  const problems: string[] = [];
  const pages = await listPages(dashboard);
  for (const address of pages.values()) {
    const { body } = await owner.get(address);
    const tags = [...body.matchAll(/<(\w+)[^>]*? id="([^"]+)"/g)].map(([, tag, id]) => ({ tag, id }));
    for (const [id, all] of Map.groupBy(tags, (one) => one.id))
      if (all.length > 1) problems.push(`${address}: #${id} ${all.length} times`);
    for (const [, id] of body.matchAll(/<label [^>]*?for="([^"]+)"/g))
      if (!tags.some((one) => one.id === id && /^(input|select|textarea)$/.test(one.tag ?? '')))
        problems.push(`${address}: a label of #${id}`);
  }
  expect(pages.size).toBeGreaterThan(40);
  expect(problems).toEqual([]);
});

test('the title of the overview says how many things need somebody', async ({ dashboard, owner }) => {
  const titleOf = async () => /<title>([^<]*)/.exec((await owner.get('/dashboard/overview')).body)?.[1];
  expect(await titleOf()).toBe('Overview · Handover');
  await sendUnmatched(dashboard, 'UNKNOWN', '77');
  expect(await titleOf()).toBe('1 thing needs you · Overview · Handover');
});

test('the title of a refused form says how many fields have a problem', async () => {
  const owner = await (await openDashboard()).signIn('owner');
  const page = '/dashboard/settings/organisation';
  const titleOf = async (fields: Readonly<Record<string, string>>) => {
    const { body } = await owner.submit(page, `${page}/mails`, fields);
    return /<title>([^<]*)/.exec(body)?.[1];
  };
  expect(await titleOf({ name: 'Lumen', email: 'nonsense' })).toBe('Problem: Organisation · Handover');
  expect(await titleOf({ name: '', email: 'nonsense' })).toBe('2 problems: Organisation · Handover');
});
