import { releaseEntries } from '@handover/domain';
import { expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { recordedDelivery } from './recorded-delivery.ts';

test('orders in a release are shown as being delivered, not as waiting, until it ends or the product is unpublished', async () => {
  const dashboard = await openDashboard();
  const { clock, shop, stores } = dashboard;
  const { id: productId } = shop.product;
  await stores.products.change(shop.orgId, productId, { status: 'draft' }, clock.now());
  for (const orderId of ['1', '2', '3']) await recordedDelivery(dashboard, shop, { orderId });
  const admin = await dashboard.signIn('admin');
  const page = `/dashboard/products/${productId}`;
  await admin.submit(page, `${page}/deliver`);
  // Another press, on a page from before.
  await admin.submit(page, `${page}/deliver`);
  const entries = await stores.activity.list(shop.orgId, { subjectId: productId, before: null, limit: 9 });
  expect(entries.filter(({ summary }) => summary.includes('released'))).toHaveLength(1);
  const { body } = await admin.get(page);
  expect(body).toContain('3 orders are being delivered');
  expect(body).not.toMatch(/are waiting|Deliver 3|Making it live delivers none/);
  await admin.submit(page, `${page}/unpublish`);
  expect((await admin.get(page)).body).toContain('3 orders are waiting for this product');
  await admin.submit(page, `${page}/publish`);
  const release = { kind: 'product', productId } as const;
  while ((await releaseEntries({ clock, ...stores }, { orgId: shop.orgId, release })) !== 'done');
  expect((await admin.get(page)).body).toContain('3 orders are waiting for this product');
});
