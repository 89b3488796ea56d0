import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { sendBody } from './fill-log.ts';
import { deliver } from './fill-overview.ts';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const OVERVIEW = '/dashboard/overview';
const DISMISS = `${OVERVIEW}/dismiss`;

async function open() {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  const readOverview = async () => decodeHtml((await owner.get(OVERVIEW)).body);
  return { ...dashboard, owner, readOverview };
}

const NOBODY = { customer: { email: null, name: null } };

describe('an action item', () => {
  test('is dismissed with a reason, says who did it, and is brought back', async () => {
    const opened = await open();
    const { owner, readOverview, shop, stores } = opened;
    await deliverOrder(opened, NOBODY);
    expect(await readOverview()).toContain('One order was not delivered');
    const asked = await owner.get(`${DISMISS}?subject=failed`);
    const fields = hiddenFieldsOf(asked.body);
    const refused = await owner.post(DISMISS, { ...fields, reason: ' ' });
    expect([refused.statusCode, refused.body.includes('It must not be empty.')]).toEqual([400, true]);
    await owner.post(DISMISS, { ...fields, reason: 'Refunded by hand' });
    const overview = await readOverview();
    expect(overview).toContain('Nothing needs you');
    expect(overview).toMatch(/id="toaster"[\s\S]*action="\/dashboard\/overview\/bring-back"[\s\S]*Undo/);
    expect(overview).toMatch(/1 dismissed[\s\S]*One order was not delivered[\s\S]*Refunded by hand/);
    expect(overview).toContain(owner.email);
    const entries = await stores.activity.list(shop.orgId, { subjectId: null, before: null, limit: 1 });
    expect(entries).toMatchObject([
      {
        kind: 'action-item-dismissed',
        actor: owner.email,
        summary: 'Dismissed: One order was not delivered. Reason: Refunded by hand',
      },
    ]);
    await owner.submit(OVERVIEW, `${OVERVIEW}/bring-back`, { subject: 'failed' });
    expect(await readOverview()).toMatch(/Needs you[\s\S]*One order was not delivered/);
  });

  test('that was dismissed comes back with the next of its kind, as it was not seen', async () => {
    const opened = await open();
    const { owner, readOverview } = opened;
    await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const fields = hiddenFieldsOf((await owner.get(`${DISMISS}?subject=failed`)).body);
    await deliverOrder(opened, { ...NOBODY, orderId: '2' });
    await owner.post(DISMISS, { ...fields, reason: 'Refunded' });
    expect(await readOverview()).toContain('2 orders were not delivered');
  });

  test.each([
    { count: '99999999999999' },
    { count: '-5', at: '-271821-04-20T00:00:00.000Z' },
    { count: '1e3', at: '2999-01-01T00:00:00.000Z' },
    { count: '', at: '' },
  ])('is dismissed as it is now, whatever a form says that it showed: %o', async (seen) => {
    const opened = await open();
    const { owner, readOverview, ports, shop } = opened;
    await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const fields = hiddenFieldsOf((await owner.get(`${DISMISS}?subject=failed`)).body);
    const [, shownAt = ''] = (fields.subject ?? '').split('|');
    const subject = `failed|${seen.at ?? shownAt}|${seen.count}`;
    await owner.post(DISMISS, { ...fields, subject, reason: 'Refunded' });
    const [dismissal] = await ports.dismissals.list(shop.orgId, ['failed']);
    expect(dismissal).toMatchObject({ seenCount: 1, seenAt: new Date(shownAt) });
    await deliverOrder(opened, { ...NOBODY, orderId: '2' });
    expect(await readOverview()).toContain('2 orders were not delivered');
  });

  test('of another organisation is not dismissed', async () => {
    const opened = await open();
    await deliverOrder(opened, NOBODY);
    const answer = await opened.owner.submit(OVERVIEW, DISMISS, {
      subject: 'rejecting cart-a',
      reason: 'No',
    });
    expect(answer.headers.location).toBe(OVERVIEW);
    expect(await opened.ports.dismissals.list(opened.shop.orgId, ['rejecting cart-a'])).toEqual([]);
  });

  test('is a genuine delivery that could not be read', async () => {
    const opened = await open();
    const id = await sendBody(opened, new TextEncoder().encode('{"email":"ana@example.com"'));
    const overview = await opened.readOverview();
    expect(overview).toContain('One delivery could not be read');
    expect(overview).toContain(`href="/dashboard/webhook-log/${id}"`);
  });
});

describe('an order without an address', () => {
  test('gets one, and is delivered there', async () => {
    const opened = await open();
    const { owner, readOverview, stores, shop } = opened;
    const id = await sendBody(
      opened,
      sampleOrder({ id: '5001', name: '#1252', email: null, contact_email: null, customer: null }, [
        { sku: 'pads' },
      ]),
    );
    const page = `/dashboard/webhook-log/${id}/address`;
    const overview = await readOverview();
    expect(overview).toMatch(new RegExp(`Shopify order #1252[\\s\\S]*href="${page}"[^>]*>[^<]*Add address`));
    expect((await owner.get(`/dashboard/webhook-log/${id}`)).body).toContain(`href="${page}"`);
    const wrong = await owner.submit(page, page, { email: 'eva' });
    expect([wrong.statusCode, wrong.body.includes('It must be an e-mail address.')]).toEqual([400, true]);
    await owner.submit(page, page, { email: 'Eva@example.com' });
    const [bought] = await stores.purchases.search(shop.orgId, {
      text: 'eva@example.com',
      productId: null,
      customerId: null,
      source: null,
      receipt: null,
      before: null,
      limit: 2,
    });
    expect(bought).toMatchObject({ customerEmail: 'Eva@example.com', orderNumber: '#1252' });
    expect(await readOverview()).not.toContain('was not delivered');
    // It has one now, which only the purchase can correct.
    expect((await owner.get(page)).headers.location).toBe(`/dashboard/webhook-log/${id}`);
    expect((await owner.get(`/dashboard/webhook-log/${id}`)).body).toContain('No address can be added');
  });

  test('gets none once a later delivery named its buyer, and the person who typed one is told', async () => {
    const opened = await open();
    const { owner } = opened;
    const sent = (email: string | null) =>
      sampleOrder({ id: '5001', name: '#1252', email, contact_email: email, customer: null }, [
        { sku: 'pads' },
      ]);
    const entry = `/dashboard/webhook-log/${await sendBody(opened, sent(null))}`;
    const page = `${entry}/address`;
    const form = hiddenFieldsOf((await owner.get(page)).body);
    await sendBody(opened, sent('eva@example.com'));
    await owner.submit(entry, `${entry}/redeliver`, {});
    expect((await owner.post(page, { ...form, email: 'jo@example.com' })).headers.location).toBe(entry);
    expect((await owner.get(entry)).body).toContain(
      'It needs no address any more. jo@example.com was not used.',
    );
  });

  test('gets it once: the second of two people who add one learns which is used', async () => {
    const opened = await open();
    const { owner } = opened;
    const other = await opened.signIn('admin');
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const entry = `/dashboard/webhook-log/${deliveryId}`;
    const page = `${entry}/address`;
    const form = hiddenFieldsOf((await other.get(page)).body);
    await owner.submit(page, page, { email: 'eva@example.com' });
    const answer = await other.post(page, { ...form, email: 'jo@example.com' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, entry]);
    const said = 'Somebody else added eva@example.com meanwhile. jo@example.com was not used.';
    expect((await other.get(entry)).body).toContain(said);
    // Two quick presses are one.
    await other.post(page, { ...form, email: 'Eva@example.com' });
    expect((await other.get(entry)).body).not.toContain('was not used');
  });

  test('leads to its newest entry, where that has an address by now', async () => {
    const opened = await open();
    await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    await opened.stores.deliveries.addAddress(opened.shop.orgId, deliveryId, 'eva@example.com');
    const overview = await opened.readOverview();
    expect(overview).toMatch(
      new RegExp(`One order was not delivered[\\s\\S]*?href="/dashboard/webhook-log/${deliveryId}"`),
    );
    expect(overview).not.toContain(`${deliveryId}/address`);
  });

  test('is one of several on a list of just these, each with its form', async () => {
    const opened = await open();
    const first = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const second = await deliverOrder(opened, { ...NOBODY, orderId: '2' });
    await sendBody(opened, WITHOUT_LINES);
    const list = '/dashboard/webhook-log?status=error&cause=no-address';
    expect(await opened.readOverview()).toMatch(
      /2 orders were not delivered[\s\S]*?href="([^"]*)"[^>]*>[^<]*Add addresses/,
    );
    expect(await opened.readOverview()).toContain(`href="${list}"`);
    const { body } = await opened.owner.get(list);
    const links = [...body.matchAll(/href="([^"]*\/address)"/g)].map(([, href]) => href);
    expect(links).toEqual(
      [second, first].map(({ deliveryId }) => `/dashboard/webhook-log/${deliveryId}/address`),
    );
  });

  test('says which address the shop sent, if no mail can be sent to it', async () => {
    const opened = await open();
    const id = await sendBody(
      opened,
      sampleOrder({ id: '5002', name: '#1253', email: 'eva', contact_email: 'eva' }, [{ sku: 'pads' }]),
    );
    const page = decodeHtml((await opened.owner.get(`/dashboard/webhook-log/${id}/address`)).body);
    expect(page).toContain('No mail can be sent to “eva”. You find the buyer in Shopify under');
    expect(page).not.toContain('without an e-mail address');
  });

  test('of another organisation is not found', async () => {
    const opened = await open();
    const { deliveryId } = await deliverOrder(opened, NOBODY);
    const other = await openShop({ ...opened.ports, stores: opened.stores }, 'Other');
    const stranger = await opened.signIn('owner', other.orgId);
    const page = `/dashboard/webhook-log/${deliveryId}/address`;
    const answers = [await stranger.get(page), await stranger.submit(OVERVIEW, page, { email: 'a@b.test' })];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  });
});

/** A paid order that came without the list of its lines. */
const WITHOUT_LINES = new TextEncoder().encode(
  JSON.stringify({ id: 5003, name: '#1254', email: 'eva@example.com', financial_status: 'paid' }),
);

describe('a genuine order that could not be read', () => {
  test('is not taken for an order without an address: its page says what can be done', async () => {
    const opened = await open();
    const id = await sendBody(opened, WITHOUT_LINES);
    const overview = await opened.readOverview();
    expect(overview).toContain('One delivery could not be read');
    expect(overview).toContain('Shopify order #1254');
    expect(overview).not.toContain('Add address');
    const { body } = await opened.owner.get(`/dashboard/webhook-log/${id}`);
    expect(body).toContain('Look the order up in the shop');
    expect(body).toContain('href="/dashboard/purchases/record"');
    expect(body).not.toContain('nothing in it to deliver');
    const address = await opened.owner.get(`/dashboard/webhook-log/${id}/address`);
    expect(address.headers.location).toBe(`/dashboard/webhook-log/${id}`);
  });
});

describe('a refused receipt', () => {
  test('is corrected from where it is shown; several open as a list', async () => {
    const opened = await open();
    const { owner, readOverview } = opened;
    const { purchaseId, receiptId, deliveryId } = await deliverOrder(opened);
    await completeReceipt(opened, receiptId, 'refused', '550 no such user');
    const page = `/dashboard/purchases/${purchaseId}/address`;
    expect(await readOverview()).toContain(`href="${page}"`);
    expect((await owner.get(`/dashboard/webhook-log/${deliveryId}`)).body).toContain(`href="${page}"`);
    await deliver(opened, { orderId: '2' }, 'refused');
    expect(await readOverview()).toMatch(
      /2 receipts did not arrive[\s\S]*href="\/dashboard\/purchases\?receipt=refused"/,
    );
    const list = (await owner.get('/dashboard/purchases?receipt=refused')).body;
    expect(list.match(/Receipt refused/g)?.length).toBeGreaterThan(1);
    expect(list.match(/href="[^"]*\/address">Correct the address/g)).toHaveLength(2);
    expect(list).toContain(`href="${page}">Correct the address`);
  });
});

test('a purchase keeps why its receipt failed before its address was corrected', async () => {
  const opened = await open();
  const { purchaseId, receiptId } = await deliverOrder(opened);
  await completeReceipt(opened, receiptId, 'refused', '550 no such user');
  const page = `/dashboard/purchases/${purchaseId}/address`;
  await opened.owner.submit(page, page, { email: 'ana@example.org', seen: 'ana@example.com' });
  const { body } = await opened.owner.get(`/dashboard/purchases/${purchaseId}`);
  expect(decodeHtml(body)).toContain(
    'from ana@example.com to ana@example.org. The receipt to the former address was refused: “550 no such user”.',
  );
});
