import { createVersion, mapSku, updateProduct } from '@handover/domain';
import { describe, expect } from 'vitest';
import { cookieOf, openDashboard, scriptTokenOf } from './open-dashboard.ts';
import { beginUpload, metadata, openVersion } from './open-upload.ts';
import { lastAction, pageOf, sendForm } from './product-page.ts';
import { sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

describe('a version', () => {
  test('is created, filled by a plain form and made live', async ({ dashboard, member }) => {
    const page = pageOf(dashboard);
    expect((await member.submit(page, `${page}/versions`, { version: '2  0' })).statusCode).toBe(400);
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

  test('begins with its product, and one press makes it live and publishes the product', async () => {
    const dashboard = await openDashboard();
    const member = await dashboard.signIn('member');
    const { orgId } = dashboard.shop;
    const { products } = dashboard.stores;
    const form = '/dashboard/products/new';
    expect((await member.get(form)).body).toMatch(/name="version"[^>]* value="1\.0"/);
    const added = await member.submit(form, form, { name: 'Night Strings', version: '1.0' });
    const page = String(added.headers.location).split('?')[0] ?? '';
    const productId = page.split('/').at(-1) ?? '';
    const [version] = await products.listVersions(orgId, productId, 2);
    expect(version).toMatchObject({ version: '1.0', status: 'preparing' });
    const at = `${page}/versions/${version?.id}`;
    expect((await member.get(page)).body).toMatch(/value="yes"[^>]* disabled>Publish version 1\.0</);
    expect((await member.get(page)).body).toContain(`href="${page}/publish"`);
    await sendForm(dashboard, member, `${at}/files`, 'strings.zip', 'some bytes');
    // One button publishes: that of the version, which has what is published.
    expect((await member.get(page)).body).not.toContain(`href="${page}/publish"`);
    expect((await member.get(`${page}/details`)).body).toContain(`href="${page}/publish"`);
    expect((await member.submit(page, `${at}/make-live`, { publish: 'yes' })).statusCode).toBe(303);
    expect(await products.find(orgId, productId)).toMatchObject({
      status: 'published',
      activeVersionId: version?.id,
    });
    // One transaction has one entry.
    expect(await lastAction(dashboard)).toMatchObject({
      summary: 'Night Strings: version 1.0 made live; published.',
    });
    expect((await member.get(page)).body).not.toContain('Publish version');
    // A page from before offers it still.
    await updateProduct(dashboard.ports, orgId, productId, { status: 'archived', activeVersionId: null });
    expect((await member.submit(page, `${at}/make-live`, { publish: 'yes' })).statusCode).toBe(303);
    expect(await products.find(orgId, productId)).toMatchObject({ status: 'archived' });
    expect(await lastAction(dashboard)).toMatchObject({ summary: 'Night Strings: version 1.0 made live.' });
    expect((await member.get(page)).body).toContain('Version 1.0 is live');
    const bare = await member.submit(form, form, { name: 'No Version Yet', version: ' ' });
    const bareId = /products\/([0-9a-f-]+)/.exec(String(bare.headers.location))?.[1] ?? '';
    expect(await products.find(orgId, bareId)).toMatchObject({ name: 'No Version Yet' });
    expect(await products.listVersions(orgId, bareId, 1)).toEqual([]);
  });

  test('takes no file from a form without the token, or from a stranger', async ({ dashboard }) => {
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

  test('shows since when it is live, and its product shows the number of sales', async ({ dashboard }) => {
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
  test('accept a session with its CSRF token, and no other session', async ({ dashboard }) => {
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

  test('do not open the rest of the API to a session', async ({ dashboard, owner }) => {
    const headers = {
      cookie: cookieOf(owner),
      'x-form-token': await scriptTokenOf(owner, pageOf(dashboard)),
    };
    expect((await dashboard.app.inject({ url: '/api/products', headers })).statusCode).toBe(401);
  });
});

describe('a product with more than a page shows', () => {
  test('still names its live version, though fifty are newer, and lists that one', async ({ dashboard }) => {
    const { ports, shop } = dashboard;
    const member = await dashboard.signIn('member');
    for (let count = 1; count <= 51; count += 1)
      await createVersion(ports, shop.orgId, shop.product.id, `2.${count}`);
    const { body } = await member.get(pageOf(dashboard));
    expect(body).toContain('Live version 1.0');
    expect(body).toContain('Versions <span class="muted">50+</span>');
    expect([
      body.includes('Version 2.51<'),
      body.includes('Version 2.1<'),
      body.includes('Version 1.0<'),
    ]).toEqual([true, false, true]);
  });

  test('says that it has more SKUs', async ({ dashboard }) => {
    const { ports, shop } = dashboard;
    const member = await dashboard.signIn('member');
    const page = `${pageOf(dashboard)}/skus`;
    for (let count = 1; count <= 200; count += 1)
      await mapSku(ports, shop.orgId, { sku: `pad-${count}`, platform: null, productId: shop.product.id });
    expect((await member.get(page)).body).toContain('201 SKUs');
    await mapSku(ports, shop.orgId, { sku: 'pad-201', platform: null, productId: shop.product.id });
    const { body } = await member.get(page);
    expect(body).toContain('200+ SKUs');
    expect(body).toContain('The first 200 are listed here.');
  });
});
