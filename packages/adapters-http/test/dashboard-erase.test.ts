import { correctAddress } from '@handover/domain';
import { BY_JANA, openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const HOUR = 60 * 60 * 1000;

async function openWithPurchase() {
  const dashboard = await openDashboard();
  const { purchaseId, receiptId, deliveryId } = await deliverOrder(dashboard);
  const admin = await dashboard.signIn('admin');
  const page = `/dashboard/purchases/${purchaseId}`;
  const ask = async () => hiddenFieldsOf((await admin.get(`${page}/erase`)).body);
  const accept = () => completeReceipt(dashboard, receiptId, 'sent', '250 OK');
  const read = async () => (await admin.get(page)).body;
  return { ...dashboard, admin, page, purchaseId, deliveryId, ask, accept, read };
}

describe('erasing a buyer', () => {
  test('is asked on the page of a purchase, says what goes and what stays, and is final', async () => {
    const { admin, page, ask, accept, read, deliveryId } = await openWithPurchase();
    await accept();
    expect(await read()).toContain(`href="${page}/erase"`);
    const question = await admin.get(`${page}/erase`);
    expect(question.body).toContain('Erase the buyer for good');
    expect(question.body).toContain('ana@example.com');
    const answer = await admin.post(`${page}/erase`, await ask());
    expect([answer.statusCode, answer.headers.location]).toEqual([303, page]);
    const after = await read();
    expect(after).toContain('Erased buyer');
    expect(after).toContain('Name and address are gone for good.');
    for (const gone of ['Ana Lima', 'ana@example.com', `${page}/restore`, `${page}/resend`])
      expect(after).not.toContain(gone);
    expect((await admin.get(`${page}/erase`)).body).toContain('This buyer was erased before.');
    expect((await admin.post(`${page}/erase`, await ask())).statusCode).toBe(303);
    expect((await admin.get('/dashboard/purchases')).body).not.toContain('erased.invalid');
    const entry = await admin.get(`/dashboard/webhook-log/${deliveryId}`);
    expect(entry.statusCode).toBe(200);
    expect(entry.body).not.toContain('ana@example.com');
  });

  test('waits while a mail to the buyer is on its way', async () => {
    const { admin, page, ask, accept, read } = await openWithPurchase();
    const refused = await admin.post(`${page}/erase`, await ask());
    expect(refused.statusCode).toBe(409);
    expect(refused.body).toContain('a mail to this buyer is on its way');
    expect(await read()).toContain('ana@example.com');
    await accept();
    expect((await admin.post(`${page}/erase`, hiddenFieldsOf(refused.body))).statusCode).toBe(303);
  });

  test('asks again when the purchase has got another buyer since', async () => {
    const { admin, page, ask, accept, read, ports, shop, purchaseId } = await openWithPurchase();
    await accept();
    const fields = await ask();
    const corrected = { by: BY_JANA, seen: 'ana@example.com' };
    await correctAddress(ports, shop.orgId, purchaseId, 'eva@example.com', corrected);
    const asked = await admin.post(`${page}/erase`, fields);
    expect(asked.statusCode).toBe(409);
    expect(asked.body).toContain('somebody corrected the address');
    expect(asked.body).toContain('eva@example.com');
    expect(await read()).toContain('eva@example.com');
  });

  test('needs a fresh sign-in', async () => {
    const { admin, page, ask, accept, clock, read } = await openWithPurchase();
    await accept();
    clock.advance(HOUR);
    const refused = await admin.post(`${page}/erase`, await ask());
    expect(refused.body).toContain('Confirm that it is you');
    expect(await read()).toContain('ana@example.com');
  });

  test('is not for members, nor for other shops', async () => {
    const { signIn, page, ask, accept, read, ports, stores } = await openWithPurchase();
    await accept();
    const fields = await ask();
    const member = await signIn('member');
    expect((await member.get(`${page}/erase`)).statusCode).toBe(403);
    expect((await member.post(`${page}/erase`, fields)).statusCode).toBe(403);
    const other = await openShop({ ...ports, stores }, 'Other');
    const stranger = await signIn('owner', other.orgId);
    expect((await stranger.get(`${page}/erase`)).statusCode).toBe(404);
    const foreign = hiddenFieldsOf((await stranger.get('/dashboard/settings/organisation')).body);
    expect(
      (await stranger.post(`${page}/erase`, { ...foreign, customer: fields.customer ?? '' })).statusCode,
    ).toBe(404);
    expect(await read()).toContain('ana@example.com');
  });
});
