import { issueSignInLink, MAX_BULK } from '@handover/domain';
import { describe, expect } from 'vitest';
import { csrfTokenOf, decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const NEW = '/dashboard/products/new';

describe('a form of the dashboard', () => {
  test('is accepted from a page of this session', async ({ member }) => {
    const answer = await member.submit(NEW, NEW, { name: 'Tape Loops' });
    expect(answer.statusCode).toBe(303);
    const page = await member.get(answer.headers.location ?? '');
    expect(page.body).toContain('Tape Loops is added');
    // Said once.
    expect((await member.get(answer.headers.location ?? '')).body).not.toContain('Tape Loops is added');
  });

  test('can send its token in a header', async ({ member }) => {
    const token = csrfTokenOf((await member.get(NEW)).body);
    const answer = await member.post(NEW, { name: 'Tape Loops' }, { 'x-form-token': token });
    expect(answer.statusCode).toBe(303);
  });

  test.each(['none', ''])('without a token (%o) changes nothing', async (token) => {
    const dashboard = await openDashboard();
    const member = await dashboard.signIn('member');
    const answer = await member.post(NEW, { name: 'Tape Loops', 'form-token': token });
    expect(answer.statusCode).toBe(409);
    expect((await member.get('/dashboard/products')).body).not.toContain('Tape Loops');
  });

  // A quarter of a megabyte can be a hundred thousand fields, and the page that keeps them takes seconds to write.
  test('with thousands of fields is refused, also before the sign-in', async () => {
    const { app } = await openDashboard();
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `p=${at}`).join('&');
    const post = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/dashboard/purchases/bulk',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        payload,
      });
    expect((await post(fields(MAX_BULK + 10))).statusCode).toBe(401);
    const refused = await post(fields(10_000));
    expect([refused.statusCode, refused.body.length < 10_000]).toEqual([413, true]);
    expect(refused.body).toContain('This is too large');
  });

  test('from another session or an old page is kept, to be sent again', async ({ dashboard, member }) => {
    const other = await dashboard.signIn('member');
    const foreign = csrfTokenOf((await other.get(NEW)).body);
    dashboard.clock.advance(20 * 60_000);
    const stale = await member.post(NEW, {
      name: 'Tape “Loops” <1>',
      description: 'a\nb',
      'form-token': foreign,
    });
    expect(stale.statusCode).toBe(409);
    expect(stale.body).toContain(
      'This page is from 20 minutes ago. We kept what you typed; please press once more.',
    );
    const fields = Object.fromEntries(
      [...stale.body.matchAll(/<input type="hidden" name="(name|description)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, decodeHtml(value)],
      ),
    );
    expect(fields).toEqual({ name: 'Tape “Loops” <1>', description: 'a\nb' });
    const again = await member.post(NEW, { ...fields, 'form-token': csrfTokenOf(stale.body) });
    expect(again.statusCode).toBe(303);

    const old = csrfTokenOf((await member.get(NEW)).body);
    dashboard.clock.advance(13 * 60 * 60_000);
    expect((await member.post(NEW, { name: 'Late', 'form-token': old })).body).toContain('from 13 hours ago');
  });

  test('is kept during a new sign-in', async ({ dashboard }) => {
    const answer = await dashboard.signedInUser().post(NEW, { name: 'Tape Loops', 'form-token': 'old' });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain('We kept what you typed');
    expect(answer.body).toContain('name="name" value="Tape Loops"');
  });

  test.each([
    ['/dashboard/products/new', '/dashboard/products/new'],
    ['/dashboard/products/PRODUCT', '/dashboard/products/PRODUCT/versions'],
    ['/dashboard/products/PRODUCT/details', '/dashboard/products/PRODUCT/details'],
    ['/dashboard/products/PRODUCT/skus', '/dashboard/products/PRODUCT/skus'],
    ['/dashboard/purchases/record', '/dashboard/purchases/record'],
    ['/dashboard/purchases/PURCHASE/address', '/dashboard/purchases/PURCHASE/address'],
    ['/dashboard/purchases/unmatched/map?sku=x', '/dashboard/purchases/unmatched/map'],
    ['/dashboard/settings/team/invite', '/dashboard/settings/team/invite'],
    ['/dashboard/settings/organisation', '/dashboard/settings/organisation/mails'],
    ['/dashboard/settings/organisation', '/dashboard/settings/organisation/alerts'],
    ['/dashboard/settings/integrations/storefront-b', '/dashboard/settings/integrations/storefront-b/secret'],
    ['/dashboard/settings/integrations/cart-a', '/dashboard/settings/integrations/cart-a/secret'],
    ['/dashboard/settings/integrations/storefront-a', '/dashboard/settings/integrations/storefront-a/rules'],
  ])('that is kept shows the typed values with the labels of its page: %s', async (onPage, action) => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const purchaseId = await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    const fill = (path: string) =>
      path.replace('PRODUCT', dashboard.shop.product.id).replace('PURCHASE', purchaseId);
    const { body } = await owner.get(fill(onPage));
    const forms = body.split('<form ').filter((part) => part.includes(`action="${fill(action)}"`));
    const labels = [...forms.join('').matchAll(/<label for="([^"]+)">([^<]+)<\/label>/g)]
      .map(([, name = '', label = '']) => ({ name, label }))
      // Chosen by its id, which tells nobody anything.
      .filter(({ name }) => name !== 'productId');
    expect(labels.length).toBeGreaterThan(0);
    const typed = Object.fromEntries([...labels.map(({ name }) => [name, 'x']), ['shop', 'id-1']]);
    const kept = await owner.post(fill(action), typed);
    expect(kept.statusCode).toBe(409);
    const named = [...kept.body.matchAll(/<dt>([^<]+)<\/dt>/g)].map(([, label]) => label);
    expect(named).toEqual(labels.map(({ label }) => label));
    expect(hiddenFieldsOf(kept.body)).toMatchObject(typed);
  });

  test('has no label for a field that no page of ours has', async ({ member }) => {
    const { body } = await member.post(NEW, { constructor: 'x', toString: 'y', name: 'Tape' });
    expect(body.match(/<dt>[^<]+/g)).toEqual(['<dt>Name']);
  });

  test('never shows a secret again', async ({ member }) => {
    const { body } = await member.post(NEW, { secret: 'whsec_1', name: 'Tape' });
    expect(body).not.toContain('<dd>whsec_1</dd>');
    expect(body).toContain('<dd>••••••</dd>');
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'null' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'http://shop.test' }, 303],
    [{ 'sec-fetch-site': undefined }, 303],
  ])('is accepted only from our own site (%o)', async (headers, status) => {
    const dashboard = await openDashboard();
    const member = await dashboard.signIn('member');
    const token = csrfTokenOf((await member.get(NEW)).body);
    const sent = JSON.parse(JSON.stringify(headers));
    const answer = await dashboard.app.inject({
      method: 'POST',
      url: NEW,
      headers: {
        ...sent,
        cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ name: 'Tape Loops', 'form-token': token }).toString(),
    });
    expect(answer.statusCode).toBe(status);
  });

  // Anybody on the network between can answer for http, and not every browser sends Sec-Fetch-Site.
  test.each([
    ['http://get.example.com', 403],
    ['https://get.example.com', 303],
  ])('is accepted only from a page of https where the site has it (%s)', async (origin, status) => {
    const dashboard = await openDashboard(undefined, { siteUrl: 'https://get.example.com' });
    const { email } = await dashboard.signIn('member');
    const issued = await issueSignInLink(dashboard.ports, email);
    const answer = await dashboard.app.inject({
      method: 'POST',
      url: issued.kind === 'issued' ? new URL(issued.url).pathname : '',
      headers: { host: 'get.example.com', origin },
    });
    expect(answer.statusCode).toBe(status);
  });

  test('of another content type is rejected with an explanation', async ({ dashboard, member }) => {
    const answer = await dashboard.app.inject({
      method: 'POST',
      url: NEW,
      headers: {
        cookie: [...member.cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'text/plain',
      },
      payload: 'name=x',
    });
    expect(answer.statusCode).toBe(415);
    expect(answer.headers['content-type']).toContain('text/html');
  });
});
