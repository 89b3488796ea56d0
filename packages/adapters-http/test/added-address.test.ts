import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { sendBody } from './fill-log.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';

test.each([
  ['no address', null],
  ['a blank address', ' '],
  ['an address without a domain', 'eva'],
  ['two addresses in one', 'eva@example.com, jo@example.com'],
])('an order with %s is delivered to the address that a person adds', async (_, email) => {
  const opened = await openDashboard();
  const owner = await opened.signIn('owner');
  const fields = { id: '5002', name: '#1253', email, contact_email: email, customer: null };
  const order = sampleOrder(fields, [{ sku: 'pads' }]);
  const id = await sendBody(opened, order);
  const page = `/dashboard/webhook-log/${id}/address`;
  expect((await owner.get(page)).statusCode).toBe(200);
  await owner.submit(page, page, { email: 'eva@example.com' });
  const entry = await opened.ports.deliveries.open(opened.shop.orgId, id);
  expect(entry?.status).toBe('pending');
  const [purchase] = await opened.ports.purchases.search(opened.shop.orgId, {
    ...{ text: '', productId: null, customerId: null, source: null, receipt: null, before: null, limit: 2 },
  });
  expect(purchase?.customerEmail).toBe('eva@example.com');
  expect(decodeHtml((await owner.get('/dashboard/overview')).body)).not.toContain('was not delivered');
});
