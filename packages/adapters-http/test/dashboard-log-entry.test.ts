import { UNREADABLE_YET, updateProduct } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { makeLine, makeOrder, publishProduct, recordOrder } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { fillLog, sendBody, sendOrder } from './fill-log.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { listSales } from './purchase-page.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { sendEvent } from './send-event.ts';
import { test } from './test-in-shop.ts';

const LOG = '/dashboard/webhook-log';

describe('an entry', () => {
  test('shows the outcome and reason of each line, and a preview of delivering it again', async () => {
    const dashboard = await openDashboard();
    const { held } = await fillLog(dashboard);
    const owner = await dashboard.signIn('owner');
    const entry = wordsOf((await owner.get(`${LOG}/${held}`)).body);
    for (const words of [
      'Shopify order #1186 Held',
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
    expect(wordsOf(entry)).toContain('Shopify order #1186 was processed again');
    expect(wordsOf(entry)).toContain('Processed 2 times');
    const [written] = await dashboard.stores.activity.list(orgId, {
      subjectId: held,
      before: null,
      limit: 9,
    });
    expect(written).toMatchObject({ kind: 'delivery-redelivered', actor: owner.email });
  });

  test('that failed to process shows why it waits, in the list and on its page', async ({ dashboard }) => {
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

  test('without an order shows the reason, and has no button', async ({ dashboard }) => {
    const { ignored, unreadable } = await fillLog(dashboard);
    const owner = await dashboard.signIn('owner');
    for (const [id, words] of [
      [ignored, 'It is not a completed order'],
      [unreadable, 'It could not be read'],
    ] as const) {
      const { body } = await owner.get(`${LOG}/${id}`);
      expect(body).toContain(words);
      expect(body).not.toContain('Deliver again');
      expect(body).not.toContain('Not processed yet');
      const answer = await owner.submit(LOG, `${LOG}/${id}/redeliver`);
      expect(answer.statusCode).toBe(303);
      expect(
        await dashboard.stores.activity.list(dashboard.shop.orgId, { subjectId: id, before: null, limit: 9 }),
      ).toEqual([]);
    }
  });

  test('with a failed mail quotes the mail server', async ({ dashboard }) => {
    const { failing } = await fillLog(dashboard);
    const entry = wordsOf((await (await dashboard.signIn('owner')).get(`${LOG}/${failing}`)).body);
    expect(entry).toContain('The mail server said: 451 4.7.1 Greylisted, try again in 5 minutes');
    expect(entry).toContain('Tried once. Next try: 2 March 2026');
  });

  test('with a refused mail leads to the first purchase whose address can be corrected', async () => {
    const dashboard = await openDashboard();
    const { ports, stores, shop } = dashboard;
    await publishProduct({ ...ports, stores }, shop.orgId, 'Keys');
    const lines = [makeLine('PADS'), makeLine('KEYS')];
    const { deliveryId, receiptId } = await deliverOrder(dashboard, { lines });
    await completeReceipt(dashboard, receiptId, 'refused', '550 no such mailbox');
    const bought = await listSales(dashboard);
    const [pads, keys] = ['Pads', 'Keys'].map((name) => bought.find((one) => one.productName === name)?.id);
    const owner = await dashboard.signIn('owner');
    const leadsTo = async () => {
      const { body } = await owner.get(`${LOG}/${deliveryId}`);
      return /purchases\/([^/"]+)\/address"[^>]*>Correct the address/.exec(body)?.[1];
    };
    expect(await leadsTo()).toBe(pads);
    await owner.submit(`/dashboard/purchases/${pads}`, `/dashboard/purchases/${pads}/revoke`);
    expect(await leadsTo()).toBe(keys);
    await owner.submit(`/dashboard/purchases/${keys}`, `/dashboard/purchases/${keys}/revoke`);
    expect(await leadsTo()).toBeUndefined();
  });

  test('of the shared platform can be read and delivered again', async ({ dashboard }) => {
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

  test('shows neither secrets nor, at first, addresses', async ({ dashboard }) => {
    const id = await sendBody(dashboard, sampleOrder(order, [{ sku: 'pads' }]));
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get(`${LOG}/${id}`);
    const payload = /<pre.*?<\/pre>/s.exec(body)?.[0] ?? '';
    for (const hidden of ['ana@', 'Lima', 'Rua', 'Porto', '4000', 'cart-token', '<script']) {
      expect([hidden, payload.includes(hidden)]).toEqual([hidden, false]);
    }
    expect(wordsOf(payload)).toContain('"email": hidden ,');
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
    expect(entry).toContain('Removed: bodies are kept only for a time, or until their buyer is erased.');
    expect(entry).toContain('This delivery made the purchase.');
    expect(entry).not.toContain('Deliver again');
    expect((await owner.get(`${LOG}/${id}/payload`)).statusCode).toBe(404);
    expect((await owner.submit(LOG, `${LOG}/${id}/redeliver`)).statusCode).toBe(303);
  });

  test('can be downloaded as it is shown', async ({ dashboard }) => {
    const id = await sendBody(dashboard, sampleOrder(order, [{ sku: 'pads' }]));
    const owner = await dashboard.signIn('owner');
    const normalized = await owner.get(`${LOG}/${id}/payload`);
    expect(normalized.headers['content-disposition']).toBe(`attachment; filename="delivery-${id}.txt"`);
    expect(normalized.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(normalized.body).toContain('"email": [hidden],');
    expect(normalized.body).not.toMatch(/ana@|Rua|cart-token/);
    const shown = (await owner.get(`${LOG}/${id}/payload?addresses=shown`)).body;
    expect(shown).toContain('ana@example.com');
    expect(shown).not.toContain('cart-token');
  });

  test('that was built to take long is shown at once', async ({ dashboard }) => {
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

  test('that is very long is truncated on the page, but not in the file', async ({ dashboard }) => {
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
