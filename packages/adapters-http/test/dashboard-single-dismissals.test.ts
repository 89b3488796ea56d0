import { createProduct, createVersion, fulfilOrder } from '@handover/domain';
import { makeLine, makeOrder, openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { sendBody } from './fill-log.ts';
import { deliver } from './fill-overview.ts';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder, sendUnmatched } from './sell-purchases.ts';

const OVERVIEW = '/dashboard/overview';
const NOBODY = { customer: { email: null, name: null } };

async function open() {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  const readOverview = async () => decodeHtml((await owner.get(OVERVIEW)).body);
  return { ...dashboard, owner, readOverview };
}

describe('a failed order', () => {
  test('is dismissed alone with a reason, and brought back where it is', async () => {
    const opened = await open();
    const { owner, readOverview } = opened;
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    await deliverOrder(opened, { ...NOBODY, orderId: '2' });
    const entry = `/dashboard/webhook-log/${deliveryId}`;
    expect((await owner.get(entry)).body).toContain(`href="${entry}/dismiss"`);
    const refused = await owner.submit(`${entry}/dismiss`, `${entry}/dismiss`, { reason: ' ' });
    expect([refused.statusCode, refused.body.includes('It must not be empty.')]).toEqual([400, true]);
    await owner.submit(`${entry}/dismiss`, `${entry}/dismiss`, { reason: 'Paid back by hand' });
    expect(await readOverview()).toContain('One order was not delivered');
    const dismissed = decodeHtml((await owner.get(entry)).body);
    expect(dismissed).toContain(`“Paid back by hand” · ${owner.email}`);
    expect((await owner.get(`${entry}/dismiss`)).statusCode).toBe(404);
    expect((await owner.get('/dashboard/webhook-log?status=error')).body).toContain('>Dismissed<');
    expect((await owner.get('/dashboard/settings/activity?what=all')).body).toContain(`href="${entry}"`);
    await owner.submit(entry, `${entry}/bring-back`, {});
    expect(await readOverview()).toContain('2 orders were not delivered');
  });

  test('that fails again while its form is open is shown again, and is not dismissed', async () => {
    const opened = await open();
    const { owner, readOverview, ports, clock } = opened;
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const path = `/dashboard/webhook-log/${deliveryId}/dismiss`;
    const fields = hiddenFieldsOf((await owner.get(path)).body);
    clock.advance(1000);
    const order = makeOrder(opened.shop, { ...NOBODY, orderId: '1' });
    await fulfilOrder(ports, order, { id: deliveryId, attempts: 1 });
    const late = await owner.post(path, { ...fields, reason: 'Refunded' });
    expect([late.statusCode, late.body.includes('It went wrong again meanwhile')]).toEqual([409, true]);
    expect(await readOverview()).toContain('One order was not delivered');
    await owner.post(path, { ...hiddenFieldsOf(late.body), reason: 'Refunded' });
    expect(await readOverview()).not.toContain('was not delivered');
  });

  test('is brought back by Undo, unless somebody dismissed it again since', async () => {
    const opened = await open();
    const { owner, readOverview, clock } = opened;
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const entry = `/dashboard/webhook-log/${deliveryId}`;
    const dismiss = async (reason: string) => {
      await owner.submit(`${entry}/dismiss`, `${entry}/dismiss`, { reason });
      const { body } = await owner.get(entry);
      return hiddenFieldsOf(body.slice(body.indexOf('id="toaster"')));
    };
    const undo = async (fields: Record<string, string>) => {
      await owner.post(`${entry}/bring-back`, fields);
      return decodeHtml((await owner.get(entry)).body);
    };
    const first = await dismiss('Refunded');
    expect(await undo(first)).toContain('Brought back');
    clock.advance(1000);
    const second = await dismiss('Really');
    expect(await undo(first)).toContain('It was brought back or dismissed again meanwhile.');
    expect(await readOverview()).not.toContain('was not delivered');
    expect(await undo(second)).toContain('Brought back');
  });

  test('that was delivered meanwhile needs nothing, which its Undo says', async () => {
    const opened = await open();
    const { owner, readOverview, ports } = opened;
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    const entry = `/dashboard/webhook-log/${deliveryId}`;
    await owner.submit(`${entry}/dismiss`, `${entry}/dismiss`, { reason: 'The buyer has left no address' });
    const { body } = await owner.get(entry);
    const undo = hiddenFieldsOf(body.slice(body.indexOf('id="toaster"')));
    await owner.submit(`${entry}/address`, `${entry}/address`, { email: 'eva@example.com' });
    const order = makeOrder(opened.shop, { orderId: '1' });
    await fulfilOrder(ports, order, { id: deliveryId, attempts: 1 });
    await owner.post(`${entry}/bring-back`, undo);
    const after = decodeHtml((await owner.get(entry)).body);
    expect(after).toContain('It no longer needs you.');
    expect(after).not.toContain('listed under “Needs you” again');
    expect(await readOverview()).toContain('Nothing needs you');
  });

  test('that waits for its product by now is neither dismissed nor brought back', async () => {
    const opened = await open();
    const { owner, ports, shop } = opened;
    const draft = await createProduct(ports, shop.orgId, { name: 'Tape', slug: 'tape' });
    if (draft.kind !== 'created') throw new Error(draft.kind);
    await createVersion(ports, shop.orgId, draft.product.id, '1.0');
    const lines = [makeLine('tape')];
    const { deliveryId } = await deliverOrder(opened, { ...NOBODY, orderId: '1', lines });
    const entry = `/dashboard/webhook-log/${deliveryId}`;
    const fields = hiddenFieldsOf((await owner.get(`${entry}/dismiss`)).body);
    await fulfilOrder(ports, makeOrder(shop, { orderId: '1', lines }), { id: deliveryId, attempts: 1 });
    for (const path of [`${entry}/dismiss`, `${entry}/bring-back`]) {
      await owner.post(path, { ...fields, reason: 'Known' });
      expect((await owner.get(entry)).body).toContain(
        'It was processed again meanwhile, with another outcome.',
      );
    }
  });

  test('with an unmatched SKU is not dismissed: its SKU is mapped or ignored', async () => {
    const opened = await open();
    const { deliveryId } = await sendUnmatched(opened, 'TAPE', '9');
    expect((await opened.owner.get(`/dashboard/webhook-log/${deliveryId}/dismiss`)).statusCode).toBe(404);
  });

  test('of another organisation can be neither dismissed nor brought back', async () => {
    const opened = await open();
    const { deliveryId } = await deliverOrder(opened, NOBODY);
    const other = await openShop({ ...opened.ports, stores: opened.stores }, 'Other');
    const stranger = await opened.signIn('owner', other.orgId);
    const entry = `/dashboard/webhook-log/${deliveryId}`;
    const answers = [
      await stranger.get(`${entry}/dismiss`),
      await stranger.submit(OVERVIEW, `${entry}/dismiss`, { reason: 'Mine' }),
      await stranger.submit(OVERVIEW, `${entry}/bring-back`, {}),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    expect(await opened.readOverview()).toContain('One order was not delivered');
  });
});

describe('an unreadable delivery', () => {
  test('is dismissed for good: what comes later is another one', async () => {
    const opened = await open();
    const id = await sendBody(opened, new TextEncoder().encode('{'));
    const { body } = await opened.owner.get(`/dashboard/webhook-log/${id}/dismiss`);
    expect(decodeHtml(body)).toContain('It leaves “Needs you”, and you can bring it back on its page.');
  });
});

describe('one refused receipt of several', () => {
  test('that somebody else dismissed meanwhile keeps their reason', async () => {
    const opened = await open();
    const { owner } = opened;
    const { purchaseId, receiptId } = await deliverOrder(opened);
    await completeReceipt(opened, receiptId, 'refused', '550 no such user');
    const purchase = `/dashboard/purchases/${purchaseId}`;
    const fields = hiddenFieldsOf((await owner.get(`${purchase}/dismiss`)).body);
    await owner.post(`${purchase}/dismiss`, { ...fields, reason: 'The first' });
    await owner.post(`${purchase}/dismiss`, { ...fields, reason: 'The second' });
    const body = decodeHtml((await owner.get(purchase)).body);
    expect(body).toContain('It no longer needs you.');
    expect(body).toContain('“The first”');
    const { body: activity } = await owner.get('/dashboard/settings/activity?what=all');
    expect([activity.includes('The first'), activity.includes('The second')]).toEqual([true, false]);
  });

  test('whose address was corrected meanwhile is neither dismissed nor brought back', async () => {
    const opened = await open();
    const { owner } = opened;
    const { purchaseId, receiptId } = await deliverOrder(opened);
    await completeReceipt(opened, receiptId, 'refused', '550 no such user');
    const purchase = `/dashboard/purchases/${purchaseId}`;
    const fields = hiddenFieldsOf((await owner.get(`${purchase}/dismiss`)).body);
    const correction = hiddenFieldsOf((await owner.get(`${purchase}/address`)).body);
    await owner.post(`${purchase}/address`, { ...correction, email: 'eva@example.org' });
    for (const path of [`${purchase}/dismiss`, `${purchase}/bring-back`]) {
      const late = await owner.post(path, { ...fields, reason: 'Known' });
      expect([late.statusCode, late.headers.location]).toEqual([303, purchase]);
      expect((await owner.get(purchase)).body).toContain('It no longer needs you.');
    }
  });

  test('is dismissed alone with a reason, and brought back on its purchase', async () => {
    const opened = await open();
    const { owner, readOverview } = opened;
    const { purchaseId, receiptId } = await deliverOrder(opened);
    await completeReceipt(opened, receiptId, 'refused', '550 no such user');
    await deliver(opened, { orderId: '2' }, 'refused');
    const purchase = `/dashboard/purchases/${purchaseId}`;
    expect((await owner.get(purchase)).body).toContain(`href="${purchase}/dismiss"`);
    await owner.submit(`${purchase}/dismiss`, `${purchase}/dismiss`, { reason: 'Refunded in the shop' });
    expect(await readOverview()).toContain('One receipt did not arrive');
    const body = decodeHtml((await owner.get(purchase)).body);
    expect(body).toContain(`“Refunded in the shop” · ${owner.email}`);
    const other = await openShop({ ...opened.ports, stores: opened.stores }, 'Other');
    const stranger = await opened.signIn('owner', other.orgId);
    expect((await stranger.submit(OVERVIEW, `${purchase}/bring-back`, {})).statusCode).toBe(404);
    await owner.submit(purchase, `${purchase}/bring-back`, {});
    expect(await readOverview()).toContain('2 receipts did not arrive');
  });
});
