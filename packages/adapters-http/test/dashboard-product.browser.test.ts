import { createProduct } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import type { OpenedDashboard } from './open-dashboard.ts';
import { openProductPage, openVersion } from './open-product-page.ts';
import { send } from './send-webhook.ts';

const browser = useBrowser();
const open = (options: Parameters<typeof openProductPage>[1] = {}) => openProductPage(browser, options);

async function holdThree(dashboard: OpenedDashboard): Promise<void> {
  await dashboard.stores.products.change(
    dashboard.shop.orgId,
    dashboard.shop.product.id,
    { status: 'draft' },
    dashboard.clock.now(),
  );
  for (const orderId of ['1', '2', '3']) {
    await send(
      dashboard,
      signedSample('test-secret', { orderId, email: `b${orderId}@example.com`, sku: 'pads' }),
    );
  }
  dashboard.clock.advance(2 * 60 * 60 * 1000);
}

test('the product pages are accessible', async () => {
  const opened = await open();
  const bare = await createProduct(opened.ports, opened.shop.orgId, { name: 'Tape Loops', slug: 'tape' });
  await holdThree(opened);
  await openVersion(opened);
  const bareId = bare.kind === 'created' ? bare.product.id : '';
  const pages = {
    waiting: opened.productPath,
    skus: `${opened.productPath}/skus`,
    details: `${opened.productPath}/details`,
    preview: `${opened.productPath}/preview`,
    bare: `/dashboard/products/${bareId}`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await opened.go(path);
    await expectAccessible(opened.page, `product-${name}`);
  }
});

test('one press publishes, and delivers waiting orders', async () => {
  const opened = await open();
  await holdThree(opened);
  await opened.go(opened.productPath);
  await opened.page.getByText('3 orders are waiting for this product').waitFor();
  await opened.page
    .getByText(/^Publishing delivers version 1\.0 to .+ and mails a receipt for each order\./)
    .waitFor();
  await opened.page.getByRole('button', { name: 'Publish and deliver 3' }).press('Enter');
  await opened.page.getByRole('status').getByText('Delivering 3 orders').waitFor();
  await opened.page.getByText('3 orders are being delivered').waitFor();
  await expectAccessible(opened.page, 'product-delivering');
  expect((await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'release-entries')).toHaveLength(1);
});

test('archiving explains its effect first', async () => {
  const opened = await open();
  await opened.go(opened.productPath);
  await opened.page.locator('.page-actions summary').press('Enter');
  await opened.page.getByRole('button', { name: 'Archive' }).press('Enter');
  const dialog = opened.page.getByRole('dialog', { name: 'Archive Pads?' });
  await dialog.getByText('Paid orders are still delivered').waitFor();
  await dialog.getByRole('button', { name: 'Archive the product' }).click();
  await opened.page.getByText('Archived', { exact: true }).first().waitFor();
});
