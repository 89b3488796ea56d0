import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { describe, expect } from 'vitest';
import { sendBody } from './fill-log.ts';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { titlesOf } from './purchase-page.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

describe('the actions of a purchase', () => {
  test('resend its receipt, and log who asked', async ({ dashboard, admin }) => {
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const asked = await admin.get(`${page}/resend`);
    expect(asked.body).toContain('ana@example.com');
    expect(asked.body).toContain(`href="${page}/address">correct the address</a>`);
    expect((await admin.post(`${page}/resend`, hiddenFieldsOf(asked.body))).statusCode).toBe(303);
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    const actions = record?.activity.filter(({ actor }) => actor === admin.email) ?? [];
    expect(actions.map(({ kind }) => kind)).toEqual(['receipt-resent']);
    expect(record?.links).toHaveLength(2);
  });

  test('replace the links that were mailed before, and their holders are told so', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId, linkId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const { orgId } = dashboard.shop;
    const page = `/dashboard/purchases/${purchaseId}`;
    const shown = (await admin.get(page)).body;
    const [, href = ''] = /href="([^"]*resend[^"]*)"[^>]*>Replace</.exec(shown) ?? [];
    const asked = await admin.get(decodeHtml(href));
    expect(asked.body).toMatch(/type="hidden" name="replace" value="yes">/);
    expect((await admin.get(`${page}/resend`)).body).toMatch(/type="checkbox" name="replace" value="yes">/);
    const fields = { ...hiddenFieldsOf(asked.body), replace: 'yes' };
    expect((await admin.post(`${page}/resend`, fields)).statusCode).toBe(303);
    const replaced = (await admin.get(page)).body;
    expect(replaced).toContain('The links mailed before have stopped working.');
    expect(replaced.replace(/<[^>]*>/g, ' ')).toMatch(/1 earlier link\s+Made .*Revoked\s+Not opened yet/);
    const former = await admin.get(new URL(dashboard.ports.tokens.url(orgId, linkId)).pathname);
    expect([former.statusCode, former.body.includes('href="/my"')]).toEqual([410, true]);
    await admin.post(`${page}/resend`, fields);
    expect((await admin.get(page)).body).toContain('It stopped no links');
    expect((await dashboard.ports.purchases.show(orgId, purchaseId))?.links).toHaveLength(2);
  });

  test('mail one receipt, however often “Send the receipt” is pressed on one page', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const fields = hiddenFieldsOf((await admin.get(`${page}/resend`)).body);
    const press = () => admin.post(`${page}/resend`, fields);
    const answers = await Promise.all([press(), press()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    const newest =
      (await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId))?.receipt?.id ?? '';
    await press();
    expect((await admin.get(page)).body).toContain('The receipt is on its way already');
    await completeReceipt(dashboard, newest, 'sent', '250 OK');
    await press();
    expect((await admin.get(page)).body).toContain('This press mailed nothing more.');
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    expect(record?.receipt?.id).toBe(newest);
    expect(record?.links).toHaveLength(2);
  });

  test('ask again when a form does not name its receipt', async ({ dashboard, admin }) => {
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const { body } = await admin.submit(page, `${page}/resend`);
    expect(body).toContain('Send the receipt');
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    expect(record?.receipt?.id).toBe(receiptId);
  });

  test('correct its address, with the problem beside the field', async ({ dashboard, admin }) => {
    const { purchaseId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const seen = 'ana@example.com';
    const wrong = await admin.submit(page, `${page}/address`, { email: 'nonsense', seen });
    expect([wrong.statusCode, wrong.body.includes('value="nonsense"')]).toEqual([400, true]);
    expect(wrong.body).toContain('It must be an e-mail address.');
    const right = await admin.submit(page, `${page}/address`, { email: 'ana.lima@example.com', seen });
    expect(right.headers.location).toBe(page);
    const { body } = await admin.get(page);
    expect(body).toContain('ana.lima@example.com');
    expect(body).toContain('A new link is on its way to ana.lima@example.com.');
    expect(titlesOf(body)).toContain('Address corrected');
  });

  test('correct its address once where two people have the page open', async ({ dashboard, admin }) => {
    const { purchaseId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const seenByBoth = hiddenFieldsOf((await admin.get(`${page}/address`)).body);
    await admin.post(`${page}/address`, { ...seenByBoth, email: 'ana.lima@example.com' });
    const late = await admin.post(`${page}/address`, { ...seenByBoth, email: 'anna@example.com' });
    expect(late.statusCode).toBe(409);
    expect(late.body).toContain('Somebody corrected the address to ana.lima@example.com');
    expect(late.body).toContain('value="anna@example.com"');
    const record = await dashboard.ports.purchases.show(dashboard.shop.orgId, purchaseId);
    expect(record?.customerEmail).toBe('ana.lima@example.com');
    const again = await admin.post(`${page}/address`, {
      ...hiddenFieldsOf(late.body),
      email: 'anna@example.com',
    });
    expect(again.headers.location).toBe(page);
  });

  test('keep in the timeline that an earlier receipt was accepted', async ({ dashboard, admin }) => {
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 queued as 4bX1');
    const page = `/dashboard/purchases/${purchaseId}`;
    await admin.post(`${page}/resend`, hiddenFieldsOf((await admin.get(`${page}/resend`)).body));
    expect((await admin.get(page)).body).toContain('The one before was accepted: “250 queued as 4bX1”.');
  });

  test('revoke it, mail nothing while it is revoked, and restore it', async ({ dashboard, admin }) => {
    const { purchaseId, linkId } = await deliverOrder(dashboard);
    const page = `/dashboard/purchases/${purchaseId}`;
    const buyersPage = new URL(dashboard.ports.tokens.url(dashboard.shop.orgId, linkId)).pathname;
    const shown = async () => decodeHtml((await admin.get(page)).body).replace(/<[^>]+>/g, '');
    expect(await shown()).toContain('Revoke purchase of Ana Lima');
    await admin.submit(page, `${page}/revoke`);
    expect(await shown()).toContain('Restore purchase of Ana Lima');
    expect((await dashboard.signedInUser().get(buyersPage)).statusCode).toBe(410);
    expect((await dashboard.signedInUser().post(`${buyersPage}/new`)).statusCode).not.toBe(200);
    const { body } = await admin.get(`${page}/resend`);
    const refused = await admin.post(`${page}/resend`, hiddenFieldsOf(body));
    expect([refused.statusCode, refused.body.includes('Restore it first')]).toEqual([409, true]);
    await admin.submit(page, `${page}/restore`);
    expect((await dashboard.signedInUser().get(buyersPage)).statusCode).toBe(200);
    expect(titlesOf((await admin.get(page)).body)).toEqual(
      expect.arrayContaining(['Revoked', 'Restored', 'Link opened']),
    );
  });

  test('offer to revoke it beside the refund of its shop, until it is revoked', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    const { purchaseId } = await deliverOrder(dashboard, { orderId: '2', orderNumber: '#2' });
    const page = `/dashboard/purchases/${purchaseId}`;
    const notice = async () => {
      const [shown = ''] = /<section class="notice".*?<\/section>/s.exec((await admin.get(page)).body) ?? [];
      return decodeHtml(shown).replace(/<[^>]+>/g, ' ');
    };
    expect(await notice()).toBe('');
    expect((await admin.get(page)).body).toContain('refund it where it was paid');
    await sendBody(dashboard, sampleOrder({ id: '2', financial_status: 'refunded' }));
    expect(await notice()).toContain('Shopify gave money back for this order');
    expect(await notice()).toContain('Revoke purchase');
    expect((await admin.get(page)).body).not.toContain('refund it where it was paid');
    await admin.submit(page, `${page}/revoke`);
    expect(await notice()).not.toContain('gave money back');
  });

  test('send a new link where the last one is expired, and copy no link that does not work', async () => {
    const dashboard = await openDashboard();
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    const page = `/dashboard/purchases/${purchaseId}`;
    const linkActions = async () => {
      const { body } = await (await dashboard.signIn('admin')).get(page);
      const [, fact = ''] = /<dt>Download link<\/dt>(.*?)<dt>/s.exec(body) ?? [];
      const hrefs = [...fact.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => decodeHtml(href));
      return [hrefs, fact.includes('data-copy='), fact.includes('Revoke purchase')];
    };
    expect(await linkActions()).toEqual([[`${page}/resend?replace=yes`], true, true]);
    dashboard.clock.advance(3 * 24 * 60 * 60 * 1000);
    expect(await linkActions()).toEqual([[`${page}/resend`], false, true]);
  });
});
