import { sendEmail, updateOrganisation } from '@handover/domain';
import { createFakeComposing, makeLine, openShop, publishProduct } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { listSales } from './purchase-page.ts';
import { completeReceipt, deliverOrder, sellByHand } from './sell-purchases.ts';

async function openSold() {
  const dashboard = await openDashboard();
  const sold = await deliverOrder(dashboard);
  const address = `/dashboard/purchases/${sold.purchaseId}/e-mail`;
  const url = dashboard.ports.tokens.url(dashboard.shop.orgId, sold.linkId);
  return { ...dashboard, ...sold, address, url: await url };
}

describe('the e-mail of a purchase', () => {
  test('is linked from the purchase, and says what was sent, to whom and when', async () => {
    const opened = await openSold();
    const admin = await opened.signIn('admin');
    await completeReceipt(opened, opened.receiptId, 'sent', '250 OK');
    const sentAt = opened.clock.now();
    opened.clock.advance(60 * 60 * 1000);
    expect((await admin.get(`/dashboard/purchases/${opened.purchaseId}`)).body).toContain(
      `href="${opened.address}"`,
    );
    const answer = await admin.get(opened.address);
    expect(answer.statusCode).toBe(200);
    const text = decodeHtml(answer.body.replace(/<[^>]*>/g, ''));
    for (const part of [
      'Your download from',
      'Lumen Audio <orders@shop.test>',
      'Ana Lima <ana@example.com>',
      opened.url,
      `Until ${new Date(sentAt.getTime() + 48 * 60 * 60 * 1000).toISOString()}`,
    ]) {
      expect(text).toContain(part);
    }
    expect(answer.body).toContain(`datetime="${sentAt.toISOString()}"`);
  });

  test('is shown as it was sent, whatever was renamed since; before, as it would be sent', async () => {
    const opened = await openSold();
    const admin = await opened.signIn('admin');
    expect((await admin.get(opened.address)).body).toContain('As it would be sent now.');
    const mailer = { send: async () => ({ kind: 'accepted', answer: '250 OK' }) as const };
    const composing = createFakeComposing();
    const { orgId } = opened.shop;
    await sendEmail({ ...composing, ...opened.ports, mailer }, { orgId, emailId: opened.receiptId });
    await updateOrganisation(opened.ports, orgId, { name: 'Renamed', email: 'new@shop.test' });
    await opened.stores.products.change(orgId, opened.shop.product.id, { name: 'Keys' }, opened.clock.now());
    const { body } = await admin.get(opened.address);
    expect(body).toContain('As it was sent');
    expect(decodeHtml(body.replace(/<[^>]*>/g, ''))).toContain('Lumen Audio <orders@shop.test>');
    expect((await admin.get(`${opened.address}/html`)).body).toContain('>Pads</a>');
  });

  test('that left a revoked purchase out says so on its page once that is restored, with the way to mail it', async () => {
    const opened = await openDashboard();
    const { ports, shop } = opened;
    await publishProduct({ ...ports, stores: opened.stores }, shop.orgId, 'Keys');
    const { receiptId } = await deliverOrder(opened, { lines: [makeLine('PADS'), makeLine('KEYS')] });
    const keys = (await listSales(opened)).find(({ productName }) => productName === 'Keys');
    const page = `/dashboard/purchases/${keys?.id}`;
    const admin = await opened.signIn('admin');
    const mail = async (emailId: string) => {
      const mailer = { send: async () => ({ kind: 'accepted', answer: '250 OK' }) as const };
      await sendEmail({ ...createFakeComposing(), ...ports, mailer }, { orgId: shop.orgId, emailId });
    };
    await admin.submit(page, `${page}/revoke`);
    await mail(receiptId);
    const revoked = decodeHtml((await admin.get(page)).body);
    expect(revoked).toContain('Receipt sent without it');
    expect(revoked).not.toContain('The receipt was sent without this purchase');
    await admin.submit(page, `${page}/restore`);
    const restored = decodeHtml((await admin.get(page)).body);
    expect(restored).toContain('No mail has them: send the receipt.');
    expect(restored).toContain('The receipt was sent without this purchase');
    const { body } = await admin.get(`${page}/resend`);
    await admin.post(`${page}/resend`, hiddenFieldsOf(body));
    await mail((await ports.mailings.find(shop.orgId, keys?.id ?? ''))?.receipt?.id ?? '');
    expect((await admin.get(page)).body).not.toContain('The receipt was sent without this purchase');
  });

  test('shows its HTML in a frame that keeps inline styles, and runs and follows nothing', async () => {
    const opened = await openSold();
    const admin = await opened.signIn('admin');
    const page = await admin.get(opened.address);
    expect(page.headers['content-security-policy']).toContain("frame-src 'self'");
    expect(page.body).toMatch(new RegExp(`<iframe[^>]* src="${opened.address}/html" sandbox></iframe>`));
    const framed = await admin.get(`${opened.address}/html`);
    expect(framed.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox",
    );
    expect(framed.headers['x-frame-options']).toBeUndefined();
    expect(framed.headers['cache-control']).toContain('no-store');
    expect(framed.body).toContain('style="color:rgb(39,89,214)"');
    expect(framed.body).not.toContain('href=');
  });

  test('that was not taken says so', async () => {
    const opened = await openSold();
    const admin = await opened.signIn('admin');
    expect((await admin.get(opened.address)).body).toContain('Not yet');
    await completeReceipt(opened, opened.receiptId, 'refused', '550 no');
    expect((await admin.get(opened.address)).body).toContain('Never: the mail server refused it');
    const purchase = await admin.get(`/dashboard/purchases/${opened.purchaseId}`);
    expect(purchase.body).toContain('<strong>Receipt</strong><span>Refused</span>');
  });

  test('is not for members, nor for other organisations, nor where none was asked for', async () => {
    const opened = await openSold();
    const other = await openShop({ ...opened.ports, stores: opened.stores }, 'Other');
    const member = await opened.signIn('member');
    const admin = await opened.signIn('admin');
    const stranger = await opened.signIn('owner', other.orgId);
    const byHand = await sellByHand(opened, 'Jo Reed', 'jo@example.org');
    for (const part of ['', '/html']) {
      const refused = await member.get(opened.address + part);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).not.toContain(opened.url);
      expect((await stranger.get(opened.address + part)).statusCode).toBe(404);
      expect((await admin.get(`/dashboard/purchases/${byHand}/e-mail${part}`)).statusCode).toBe(404);
    }
    expect((await admin.get(`/dashboard/purchases/${byHand}`)).body).not.toContain('See the e-mail');
  });
});
