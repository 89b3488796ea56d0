import { createProduct, UNREADABLE_YET, updateProduct } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { fillLog, fillWith, listIds, sendBody, sendOrder } from './fill-log.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { sendEvent } from './send-event.ts';

const LOG = '/dashboard/webhook-log';

describe('the list', () => {
  test('shows the outcome of each entry, and groups them by day', async () => {
    const dashboard = await openDashboard();
    await fillLog(dashboard);
    dashboard.clock.advance(86_400_000);
    await sendOrder(dashboard, { orderId: '6001' });
    const owner = await dashboard.signIn('owner');
    const body = decodeHtml((await owner.get(LOG)).body);
    expect([...body.matchAll(/class="log-date"[^>]*><span>([^<]*)/g)].map(([, day]) => day)).toEqual([
      'Today',
      'Yesterday',
    ]);
    const rows = [...body.matchAll(/<li id="row-.*?<\/li>/gs)].map(([row]) => wordsOf(row));
    expect(rows).toEqual([
      expect.stringMatching(/^Pending #6001 \d\d:\d\d pads Pads delivered$/),
      expect.stringMatching(/^Pending #5002 \d\d:\d\d pads The mail server is busy$/),
      expect.stringMatching(
        /^Held #1186 Unmatched \d\d:\d\d nocturne-strings The product “Nocturne Strings” is still a draft, and 2 more$/,
      ),
      expect.stringMatching(/^Pending #4999 \d\d:\d\d pads Pads delivered$/),
      expect.stringMatching(/^Error #4998 Unmatched \d\d:\d\d BUNDLE-XMAS No product has this SKU$/),
      expect.stringMatching(/^Error Unreadable delivery \d\d:\d\d /),
      expect.stringMatching(/^Ignored 4997 \d\d:\d\d /),
    ]);
  });

  test.each([
    ['success', 'Success', ['pads', 'WHO-1']],
    ['held', 'Held', ['pads', 'nocturne-strings', 'WHO-1']],
    ['error', 'Error', ['WHO-1']],
  ] as const)('flags an unmatched line of an entry that is %s', async (status, word, skus) => {
    const dashboard = await openDashboard();
    await createProduct(dashboard.ports, dashboard.shop.orgId, {
      name: 'Nocturne',
      slug: 'nocturne-strings',
    });
    const flagged = await deliverOrder(dashboard, { orderId: '1', lines: skus.map((sku) => makeLine(sku)) });
    if (flagged.receiptId !== '') await completeReceipt(dashboard, flagged.receiptId, 'sent', '250 OK');
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get(`${LOG}/${flagged.deliveryId}?status=${status}`);
    const [row = ''] = /<li id="row-.*?<\/li>/s.exec(body) ?? [];
    expect(wordsOf(row)).toMatch(new RegExp(`^${word} #1001 Unmatched \\d\\d:\\d\\d `));
    expect(/<div class="page-title">.*?<\/div>/s.exec(body)?.[0]).toContain('Unmatched');
  });

  test('flags no entry whose lines are all mapped', async () => {
    const dashboard = await openDashboard();
    await deliverOrder(dashboard);
    const owner = await dashboard.signIn('owner');
    expect((await owner.get(LOG)).body).not.toContain('Unmatched');
  });

  test('filters by status, connection and text, and counts the entries', async () => {
    const dashboard = await openDashboard();
    const of = await fillLog(dashboard);
    const owner = await dashboard.signIn('owner');
    const idsAt = async (query: string) =>
      [...(await owner.get(`${LOG}${query}`)).body.matchAll(/id="row-([^"]+)"/g)].map(([, id]) => id);
    expect(await idsAt('?status=held')).toEqual([of.held]);
    expect(await idsAt('?q=%231186')).toEqual([of.held]);
    expect(await idsAt('?q=mia@')).toEqual([of.failing]);
    expect(await idsAt('?q=bundle&status=error')).toEqual([of.unmatched]);
    expect(await idsAt(`?connection=${dashboard.shop.connection.id}`)).toHaveLength(6);
    expect(await idsAt('?connection=another')).toEqual([]);
    expect(await idsAt('?status=nonsense')).toHaveLength(6);
    const { body } = await owner.get(LOG);
    const counts = [
      ...body.matchAll(/<a href="[^"]*"[^>]*>(?:(?!<\/a>).)*<span class="figure muted">(\d+)/gs),
    ];
    expect(counts.map(([, count]) => count)).toEqual(['6', '2', '2', '1', '0', '1']);
  });

  test('paginates, and says when there are no entries', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    expect((await owner.get(LOG)).body).toContain('No deliveries yet');
    await fillWith(dashboard, 60);
    const first = (await owner.get(LOG)).body;
    const older = decodeHtml(/rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '');
    const second = (await owner.get(older)).body;
    const idsIn = (body: string) => [...body.matchAll(/id="row-([^"]+)"/g)].map(([, id]) => id);
    expect([...idsIn(first), ...idsIn(second)]).toEqual(await listIds(dashboard));
    expect([first.includes('every 2s'), second.includes('every 2s')]).toEqual([true, false]);
    const none = decodeHtml((await owner.get(`${LOG}?q=%3Cb%3E`)).body);
    expect(none).toContain('Nothing for “<b>”');
    expect((await owner.get(`${LOG}?q=%3Cb%3E`)).body).not.toContain('<b>');
  });

  test('sends a polling page only what it has not seen', async () => {
    const dashboard = await openDashboard();
    const shown = await sendOrder(dashboard, { orderId: '1' });
    const owner = await dashboard.signIn('owner');
    const seen = stateOf((await owner.get(LOG)).body);
    expect((await owner.get(`${LOG}/live?${seen}`)).statusCode).toBe(204);
    const fresh = await sendOrder(dashboard, { orderId: '2' });
    const news = await owner.get(`${LOG}/live?${seen}`);
    expect(news.statusCode).toBe(200);
    expect(news.body).toContain('>1 new entry<');
    expect(
      [...news.body.matchAll(/<li id="row-([^"]+)"([^>]*)>/g)].map(([, id, rest]) => [
        id,
        rest?.includes('data-new'),
      ]),
    ).toEqual([
      [fresh, true],
      [shown, false],
    ]);
    expect(news.body).not.toMatch(/<html|<main/);
    const after = stateOf(news.body);
    expect((await owner.get(`${LOG}/live?${after}`)).statusCode).toBe(204);
    expect((await owner.get(`${LOG}/live?${after}&status=held`)).body).toContain('log-state');
  });
});

describe('an entry', () => {
  test('shows the outcome and reason of each line, and a preview of delivering it again', async () => {
    const dashboard = await openDashboard();
    const { held } = await fillLog(dashboard);
    const owner = await dashboard.signIn('owner');
    const entry = wordsOf((await owner.get(`${LOG}/${held}`)).body);
    for (const words of [
      'Order #1186 Held',
      'Shopify, main',
      'Processed once',
      'Pads is already delivered and stays as it is.',
      'Nocturne Strings would stay held.',
      'No product is known for TAPE-LOOPS-2 . Map it first.',
      'No mail goes out.',
      'Nothing would change.',
      'This delivery made the purchase. Open purchase',
      '49.00 EUR',
    ]) {
      expect(entry).toContain(words);
    }
    const { body } = await owner.get(`${LOG}/${held}`);
    expect(body).toMatch(/<button[^>]* disabled/);
    expect(body).not.toContain('/redeliver');
  });

  test('is delivered again with one press once something would change, which is logged', async () => {
    const dashboard = await openDashboard();
    const { held } = await fillLog(dashboard);
    const { orgId } = dashboard.shop;
    const [draft] = await dashboard.stores.products.search(orgId, {
      text: 'nocturne',
      status: null,
      before: null,
      limit: 1,
    });
    const productId = draft?.product.id ?? '';
    await dashboard.stores.products.change(orgId, productId, { slug: 'gone' }, dashboard.clock.now());
    await dashboard.stores.products.change(
      orgId,
      dashboard.shop.product.id,
      { slug: 'nocturne-strings' },
      dashboard.clock.now(),
    );
    await updateProduct(dashboard.ports, orgId, productId, { status: 'archived' });
    const owner = await dashboard.signIn('owner');
    const path = `${LOG}/${held}?status=held`;
    expect(wordsOf((await owner.get(path)).body)).not.toContain('Nothing would change');
    const answer = await owner.submit(path, `${LOG}/${held}/redeliver?status=held`);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, path]);
    const entry = (await owner.get(path)).body;
    expect(wordsOf(entry)).toContain('Order #1186 was processed again');
    expect(wordsOf(entry)).toContain('Processed 2 times');
    const [written] = await dashboard.stores.activity.list(orgId, {
      subjectId: held,
      before: null,
      limit: 9,
    });
    expect(written).toMatchObject({ kind: 'delivery-redelivered', actor: owner.email });
  });

  test('that failed to process shows why it waits, in the list and on its page', async () => {
    const dashboard = await openDashboard();
    const { id } = await recordOrder(
      { ...dashboard.ports, stores: dashboard.stores },
      makeOrder(dashboard.shop),
    );
    await dashboard.stores.deliveries.explainPending(dashboard.shop.orgId, id, UNREADABLE_YET);
    const owner = await dashboard.signIn('owner');
    expect(wordsOf((await owner.get(LOG)).body)).toContain(
      'The process that tried this order cannot read it',
    );
    const entry = wordsOf((await owner.get(`${LOG}/${id}`)).body);
    expect(entry).toContain(`It cannot be read yet ${UNREADABLE_YET}`);
    expect(entry).not.toContain('There is nothing in it to deliver');
  });

  test('without an order shows the reason, and has no button', async () => {
    const dashboard = await openDashboard();
    const { ignored, unreadable } = await fillLog(dashboard);
    const owner = await dashboard.signIn('owner');
    for (const [id, words] of [
      [ignored, 'It is not a completed order'],
      [unreadable, 'It could not be read'],
    ] as const) {
      const { body } = await owner.get(`${LOG}/${id}`);
      expect(body).toContain(words);
      expect(body).not.toContain('Deliver again');
      const answer = await owner.submit(LOG, `${LOG}/${id}/redeliver`);
      expect(answer.statusCode).toBe(303);
      expect(
        await dashboard.stores.activity.list(dashboard.shop.orgId, { subjectId: id, before: null, limit: 9 }),
      ).toEqual([]);
    }
  });

  test('with a failed mail quotes the mail server', async () => {
    const dashboard = await openDashboard();
    const { failing } = await fillLog(dashboard);
    const entry = wordsOf((await (await dashboard.signIn('owner')).get(`${LOG}/${failing}`)).body);
    expect(entry).toContain('The mail server said: 451 4.7.1 Greylisted, try again in 5 minutes');
    expect(entry).toContain('Tried 1 time; the next try is at 2 March 2026');
  });

  test('of the shared platform can be read and delivered again', async () => {
    const dashboard = await openDashboard();
    const { deliveryId } = (await sendEvent(dashboard)).json();
    const entry = wordsOf((await (await dashboard.signIn('admin')).get(`${LOG}/${deliveryId}`)).body);
    expect(entry).toContain('Pads is already delivered and stays as it is.');
  });
});

describe('the payload', () => {
  const order = {
    id: '5001',
    name: '#1001',
    email: 'ana@example.com',
    token: 'cart-token',
    customer: { first_name: 'Ana', last_name: 'Lima', note: null },
    shipping_address: { address1: 'Rua Um 1', city: 'Porto', zip: '4000' },
    note: '</code><script>alert(1)</script>',
  };

  test('shows neither secrets nor, at first, addresses', async () => {
    const dashboard = await openDashboard();
    const id = await sendBody(dashboard, sampleOrder(order, [{ sku: 'pads' }]));
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get(`${LOG}/${id}`);
    const payload = /<pre.*?<\/pre>/s.exec(body)?.[0] ?? '';
    for (const hidden of ['ana@', 'Lima', 'Rua', 'Porto', '4000', 'cart-token', '<script']) {
      expect([hidden, payload.includes(hidden)]).toEqual([hidden, false]);
    }
    expect(wordsOf(payload)).toContain('"email": address hidden ,');
    expect(wordsOf(payload)).toContain('"name": "#1001"');
    const shown = (await owner.get(`${LOG}/${id}?addresses=shown`)).body;
    expect(decodeHtml(shown)).toContain('"address1": "Rua Um 1"');
    expect(shown).not.toContain('cart-token');
  });

  test('says when it was removed, and the entry can no longer be delivered', async () => {
    const dashboard = await openDashboard(({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        find: async (...ids) => {
          const found = await deliveries.find(...ids);
          return found && { ...found, body: null };
        },
      },
    }));
    const id = await sendOrder(dashboard);
    const owner = await dashboard.signIn('owner');
    const entry = wordsOf((await owner.get(`${LOG}/${id}`)).body);
    expect(entry).toContain('Removed: bodies are kept only for a time.');
    expect(entry).toContain('This delivery made the purchase.');
    expect(entry).not.toContain('Deliver again');
    expect((await owner.get(`${LOG}/${id}/payload`)).statusCode).toBe(404);
    expect((await owner.submit(LOG, `${LOG}/${id}/redeliver`)).statusCode).toBe(303);
  });

  test('can be downloaded as it is shown', async () => {
    const dashboard = await openDashboard();
    const id = await sendBody(dashboard, sampleOrder(order, [{ sku: 'pads' }]));
    const owner = await dashboard.signIn('owner');
    const normalized = await owner.get(`${LOG}/${id}/payload`);
    expect(normalized.headers['content-disposition']).toBe(`attachment; filename="delivery-${id}.txt"`);
    expect(normalized.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(normalized.body).toContain('"email": [address hidden],');
    expect(normalized.body).not.toMatch(/ana@|Rua|cart-token/);
    const shown = (await owner.get(`${LOG}/${id}/payload?addresses=shown`)).body;
    expect(shown).toContain('ana@example.com');
    expect(shown).not.toContain('cart-token');
  });

  test('that was built to take long is shown at once', async () => {
    const dashboard = await openDashboard();
    const slow = { note: 'a@'.repeat(800), tags: '=…"'.repeat(4000) };
    const id = await sendBody(dashboard, sampleOrder({ ...order, ...slow }, [{ sku: 'pads' }]));
    const owner = await dashboard.signIn('owner');
    const before = process.cpuUsage();
    const { body } = await owner.get(`${LOG}/${id}`);
    const { user } = process.cpuUsage(before);
    expect(wordsOf(body)).toContain('"note": "a@a@a@');
    // It took 11 seconds.
    expect(user / 1000).toBeLessThan(2000);
  });

  test('that is very long is truncated on the page, but not in the file', async () => {
    const dashboard = await openDashboard();
    const lines = Array.from({ length: 400 }, (_, at) => ({ sku: `SKU-${at}` }));
    const id = await sendBody(dashboard, sampleOrder(order, lines));
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get(`${LOG}/${id}`);
    expect(wordsOf(body)).toMatch(
      /Cut here: this is the beginning of \d+(\.\d)? kB\. Download it to see more\./,
    );
    expect(/<pre.*?<\/pre>/s.exec(body)?.[0]).not.toContain('SKU-399');
    expect((await owner.get(`${LOG}/${id}/payload`)).body).toContain('SKU-399');
  });
});

/** What a reader sees of HTML. */
function wordsOf(body: string): string {
  return decodeHtml(body.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** What the page sends along when it asks again. */
function stateOf(body: string): string {
  const form = /<form id="log-state".*?<\/form>/s.exec(body)?.[0] ?? '';
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
  const state = new URLSearchParams();
  for (const [, name = '', value = ''] of fields) state.set(name, decodeHtml(value));
  return state.toString();
}
