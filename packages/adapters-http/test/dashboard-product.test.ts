import { createProduct, createVersion, mapSku, normalizeSku } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import {
  cookieOf,
  decodeHtml,
  type OpenedDashboard,
  openDashboard,
  scriptTokenOf,
} from './open-dashboard.ts';
import { beginUpload, metadata, openVersion } from './open-upload.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { sellByHand } from './sell-purchases.ts';

type Signed = Awaited<ReturnType<OpenedDashboard['signIn']>>;

function pageOf({ shop }: OpenedDashboard): string {
  return `/dashboard/products/${shop.product.id}`;
}

async function withWaiting(orders: number) {
  const dashboard = await openDashboard();
  await dashboard.stores.products.change(
    dashboard.shop.orgId,
    dashboard.shop.product.id,
    { status: 'draft' },
    dashboard.clock.now(),
  );
  for (let number = 1; number <= orders; number += 1)
    await recordedDelivery(dashboard, dashboard.shop, { orderId: `${number}` });
  return dashboard;
}

async function lastAction(dashboard: OpenedDashboard) {
  const [action] = await dashboard.ports.activity.list(dashboard.shop.orgId, {
    subjectId: null,
    before: null,
    limit: 1,
  });
  return action;
}

describe('orders that wait for a draft', () => {
  test('are announced before it is published, and delivered by the button that publishes', async () => {
    const opened = await withWaiting(3);
    opened.clock.advance(2 * 60 * 60 * 1000);
    const admin = await opened.signIn('admin');
    const { body } = await admin.get(pageOf(opened));
    expect(body).toContain('3 orders are waiting for this product');
    expect(body).toContain('Publishing delivers version 1.0 to their buyers and mails each a receipt.');
    expect(body).toContain('The oldest has waited 2 hours.');
    const answer = await admin.submit(pageOf(opened), `${pageOf(opened)}/deliver`);
    expect(answer.statusCode).toBe(303);
    expect(await opened.stores.products.find(opened.shop.orgId, opened.shop.product.id)).toMatchObject({
      status: 'published',
    });
    expect(await opened.stores.queuedJobs()).toContainEqual(
      expect.objectContaining({ release: { kind: 'product', productId: opened.shop.product.id } }),
    );
    expect(await lastAction(opened)).toMatchObject({ kind: 'product-changed', actor: admin.email });
  });

  test('are counted for members, who cannot deliver them', async () => {
    const opened = await withWaiting(1);
    const member = await opened.signIn('member');
    const { body } = await member.get(pageOf(opened));
    expect(body).toContain('1 order is waiting for this product');
    expect(body).toContain('An owner or admin can deliver them.');
    expect(body).not.toContain('Publish and deliver');
    expect((await member.submit(pageOf(opened), `${pageOf(opened)}/deliver`)).statusCode).toBe(403);
    expect((await member.submit(pageOf(opened), `${pageOf(opened)}/publish`)).statusCode).toBe(303);
    expect((await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'release-entries')).toEqual([]);
    expect((await (await opened.signIn('owner')).get(pageOf(opened))).body).toContain('Deliver 1');
  });

  test('stay waiting while it has no version', async () => {
    const opened = await withWaiting(1);
    await opened.stores.products.change(
      opened.shop.orgId,
      opened.shop.product.id,
      { activeVersionId: null },
      opened.clock.now(),
    );
    const admin = await opened.signIn('admin');
    expect((await admin.get(pageOf(opened))).body).toContain('No version is live yet');
    await admin.submit(pageOf(opened), `${pageOf(opened)}/deliver`);
    expect(await opened.stores.products.find(opened.shop.orgId, opened.shop.product.id)).toMatchObject({
      status: 'draft',
    });
  });
});

test('a product is archived and made a draft again, each with an entry in the log', async () => {
  const dashboard = await openDashboard();
  const member = await dashboard.signIn('member');
  for (const [action, status] of [
    ['archive', 'archived'],
    ['unpublish', 'draft'],
    ['publish', 'published'],
  ]) {
    expect((await member.submit(pageOf(dashboard), `${pageOf(dashboard)}/${action}`)).statusCode).toBe(303);
    expect(
      await dashboard.stores.products.find(dashboard.shop.orgId, dashboard.shop.product.id),
    ).toMatchObject({ status });
    expect(await lastAction(dashboard)).toMatchObject({ kind: 'product-changed', actor: member.email });
    dashboard.clock.advance(1000);
  }
});

test('publishing names the version that orders deliver now, or says that they are held', async () => {
  const dashboard = await openDashboard();
  const member = await dashboard.signIn('member');
  const publish = async () => {
    await member.submit(pageOf(dashboard), `${pageOf(dashboard)}/publish`);
    return (await member.get(pageOf(dashboard))).body;
  };
  expect(await publish()).toContain('Orders now deliver version 1.0.');
  await dashboard.stores.products.change(
    dashboard.shop.orgId,
    dashboard.shop.product.id,
    { activeVersionId: null },
    dashboard.clock.now(),
  );
  expect(await publish()).toContain('Orders are held until a version is live.');
});

test('a double click on a product’s action leaves one entry', async () => {
  const dashboard = await openDashboard();
  const admin = await dashboard.signIn('admin');
  for (const action of ['publish', 'deliver', 'archive', 'archive', 'deliver']) {
    expect((await admin.submit(pageOf(dashboard), `${pageOf(dashboard)}/${action}`)).statusCode).toBe(303);
  }
  const actions = await dashboard.ports.activity.list(dashboard.shop.orgId, {
    subjectId: null,
    before: null,
    limit: 10,
  });
  const changes = actions.filter(({ kind }) => kind === 'product-changed');
  expect(changes.map(({ summary }) => summary)).toEqual(['Pads: archived.']);
});

describe('a version', () => {
  test('is created, filled by a plain form and made live', async () => {
    const dashboard = await openDashboard();
    const member = await dashboard.signIn('member');
    const page = pageOf(dashboard);
    expect((await member.submit(page, `${page}/versions`, { version: '2 0' })).statusCode).toBe(400);
    expect((await member.submit(page, `${page}/versions`, { version: '2.0' })).statusCode).toBe(303);
    const [version] = await dashboard.stores.products.listVersions(
      dashboard.shop.orgId,
      dashboard.shop.product.id,
      1,
    );
    const at = `${page}/versions/${version?.id}`;
    const empty = await member.submit(page, `${at}/make-live`);
    expect([empty.statusCode, empty.body]).toEqual([400, expect.stringContaining('It has no files yet.')]);
    const sent = await sendForm(dashboard, member, `${at}/files`, 'pads <2>.zip', 'some bytes');
    expect(sent.statusCode).toBe(303);
    expect(await lastAction(dashboard)).toMatchObject({
      summary: 'Pads: pads <2>.zip added.',
      actor: member.email,
    });
    const { body } = await member.get(page);
    expect(body).toMatch(/pads &#60;2&#62;.zip|pads &lt;2&gt;.zip/);
    expect((await member.submit(page, `${at}/make-live`)).statusCode).toBe(303);
    const product = await dashboard.stores.products.find(dashboard.shop.orgId, dashboard.shop.product.id);
    expect(product?.activeVersionId).toBe(version?.id);
    const late = await sendForm(dashboard, member, `${at}/files`, 'late.zip', 'x');
    expect([late.statusCode, late.body]).toEqual([400, expect.stringContaining('This version was live')]);
  });

  test('takes no file from a form without the token, or from a stranger', async () => {
    const dashboard = await openDashboard();
    const { versionId } = await openVersion(dashboard);
    const member = await dashboard.signIn('member');
    const path = `${pageOf(dashboard)}/versions/${versionId}/files`;
    expect((await sendForm(dashboard, member, path, 'a.zip', 'x', 'wrong')).statusCode).toBe(409);
    expect((await sendForm(dashboard, member, path, '', '')).statusCode).toBe(400);
    const found = await dashboard.stores.products.findVersion(
      dashboard.shop.orgId,
      dashboard.shop.product.id,
      versionId,
    );
    expect(found?.files).toEqual([]);
  });

  test('shows since when it is live, and its product shows the number of sales', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    await sellByHand(dashboard, 'Jo Reed', 'jo@example.org');
    await dashboard.stores.products.change(
      dashboard.shop.orgId,
      dashboard.shop.product.id,
      { activeVersionId: null },
      dashboard.clock.now(),
    );
    dashboard.clock.advance(3 * 24 * 60 * 60 * 1000);
    const day = dashboard.clock.now().toISOString().slice(0, 10);
    const { body: before } = await admin.get(pageOf(dashboard));
    expect(before).not.toContain('Since <time');
    await admin.submit(
      pageOf(dashboard),
      `${pageOf(dashboard)}/versions/${dashboard.shop.version.id}/make-live`,
    );
    const { body } = await admin.get(pageOf(dashboard));
    expect(body).toMatch(new RegExp(`Since <time datetime="${day}`));
    expect(body).toMatch(/>Purchases <span class="muted">1<\/span>/);
    expect((await (await dashboard.signIn('member')).get(pageOf(dashboard))).body).not.toContain(
      '>Purchases <',
    );
  });
});

describe('uploads in pieces', () => {
  test('accept a session with its CSRF token, and no other session', async () => {
    const dashboard = await openDashboard();
    const version = await openVersion(dashboard);
    const member = await dashboard.signIn('member');
    const token = await scriptTokenOf(member, pageOf(dashboard));
    const cookie = cookieOf(member);
    const begin = (headers: Record<string, string>) =>
      dashboard.app.inject({
        method: 'POST',
        url: '/api/uploads',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '5',
          'upload-metadata': metadata({ ...version, filename: 'a.zip' }),
          ...headers,
        },
      });
    expect((await begin({ cookie, 'x-form-token': token })).statusCode).toBe(201);
    expect((await begin({ cookie })).statusCode).toBe(403);
    const crossSite = { cookie, 'x-form-token': token, 'sec-fetch-site': 'cross-site' };
    expect((await begin(crossSite)).statusCode).toBe(403);
    expect((await begin({ cookie: 'handover=junk', 'x-form-token': token })).statusCode).toBe(401);
    expect((await begin({})).statusCode).toBe(401);
    const nobody = await dashboard.signIn(null);
    expect((await begin({ cookie: cookieOf(nobody), 'x-form-token': token })).statusCode).toBe(403);
    // A key is enough, whatever cookies come along.
    expect(await beginUpload(dashboard, version, 5)).toContain('/api/uploads/');
  });

  test('do not open the rest of the API to a session', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const headers = {
      cookie: cookieOf(owner),
      'x-form-token': await scriptTokenOf(owner, pageOf(dashboard)),
    };
    expect((await dashboard.app.inject({ url: '/api/products', headers })).statusCode).toBe(401);
  });
});

describe('SKUs', () => {
  test('are refused for an unknown platform, by its name', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
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

  test('are added and removed, each with an entry in the log', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
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

  test('that orders wait for need a confirmation, and then release them', async () => {
    const dashboard = await openDashboard();
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

  test('are read-only for members', async () => {
    const dashboard = await openDashboard();
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

test('the preview shows the buyers’ page with disabled buttons', async () => {
  const dashboard = await openDashboard();
  const member = await dashboard.signIn('member');
  const { body, statusCode } = await member.get(`${pageOf(dashboard)}/preview`);
  expect(statusCode).toBe(200);
  expect(body).toContain('This is a preview.');
  expect(body).toContain('aria-disabled="true"');
  expect(body).not.toContain('/d/');
  expect(body).not.toContain('<script');
  const draft = await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Bare', slug: 'bare' });
  const id = draft.kind === 'created' ? draft.product.id : '';
  await createVersion(dashboard.ports, dashboard.shop.orgId, id, '1.0');
  expect((await member.get(`/dashboard/products/${id}/preview`)).body).toContain(
    'The files are not ready yet.',
  );
});

/** As a browser without a script sends a file. */
async function sendForm(
  dashboard: OpenedDashboard,
  browser: Signed,
  path: string,
  name: string,
  content: string,
  token?: string,
) {
  const form = new FormData();
  form.append('form-token', token ?? (await scriptTokenOf(browser, pageOf(dashboard))));
  form.append('file', new File([content], name));
  const request = new Request('http://shop.test/', { method: 'POST', body: form });
  return dashboard.app.inject({
    method: 'POST',
    url: path,
    headers: {
      cookie: cookieOf(browser),
      'sec-fetch-site': 'same-origin',
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}
