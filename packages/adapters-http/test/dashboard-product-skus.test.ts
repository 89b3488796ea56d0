import { mapSku, normalizeSku } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { decodeHtml } from './open-dashboard.ts';
import { lastAction, pageOf } from './product-page.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { test } from './test-in-shop.ts';

describe('SKUs', () => {
  test('are refused for an unknown platform, by its name', async ({ dashboard, admin }) => {
    const page = `/dashboard/products/${dashboard.shop.product.id}/skus`;
    const fields = { sku: 'x-1', platform: 'cart-z' };
    const added = await admin.submit(page, page, fields);
    expect([added.statusCode, decodeHtml(added.body).includes('There is no platform “cart-z”.')]).toEqual([
      400,
      true,
    ]);
    await mapSku(dashboard.ports, dashboard.shop.orgId, {
      sku: 'x-1',
      platform: null,
      productId: dashboard.shop.product.id,
    });
    expect((await admin.submit(page, `${page}/remove`, fields)).statusCode).toBe(400);
    expect(
      await dashboard.ports.skuMappings.listOf(dashboard.shop.orgId, dashboard.shop.product.id, 10),
    ).toMatchObject([{ sku: 'x-1', platform: null }]);
  });

  test('are added and removed, each with an entry in the log', async ({ dashboard, admin }) => {
    const page = `${pageOf(dashboard)}/skus`;
    const added = await admin.submit(page, page, { sku: 'PAD-BUNDLE', platform: 'cart-a' });
    expect(added.statusCode).toBe(303);
    expect((await admin.get(page)).body).toContain('SamCart');
    expect(await lastAction(dashboard)).toMatchObject({ kind: 'sku-mapped', actor: admin.email });
    expect((await admin.submit(page, page, { sku: ' ' })).statusCode).toBe(400);
    await admin.submit(page, `${page}/remove`, { sku: normalizeSku('PAD-BUNDLE'), platform: 'cart-a' });
    expect(
      await dashboard.stores.skuMappings.listOf(dashboard.shop.orgId, dashboard.shop.product.id, 9),
    ).toEqual([]);
  });

  test('that orders wait for need a confirmation, and then release them', async ({ dashboard }) => {
    await recordedDelivery(dashboard, dashboard.shop, { lines: [makeLine('WARM')] });
    const admin = await dashboard.signIn('admin');
    const page = `${pageOf(dashboard)}/skus`;
    const asked = await admin.submit(page, page, { sku: 'warm', platform: '' });
    expect(asked.body).toContain('1 order is waiting for this SKU');
    expect(asked.body).toContain('Add SKU and deliver 1');
    expect(
      await dashboard.stores.skuMappings.listOf(dashboard.shop.orgId, dashboard.shop.product.id, 9),
    ).toEqual([]);
    await admin.submit(page, page, { sku: 'warm', platform: '', sure: 'yes' });
    expect(
      (await dashboard.stores.queuedJobs()).filter(({ kind }) => kind === 'release-entries'),
    ).toHaveLength(1);
  });

  test('are read-only for members', async ({ dashboard }) => {
    await mapSku(dashboard.ports, dashboard.shop.orgId, {
      sku: 'x-1',
      platform: null,
      productId: dashboard.shop.product.id,
    });
    const member = await dashboard.signIn('member');
    const { body } = await member.get(`${pageOf(dashboard)}/skus`);
    expect(body).toContain('x-1');
    expect(body).not.toContain('Add SKU');
    expect(body).not.toContain('Remove');
  });
});
