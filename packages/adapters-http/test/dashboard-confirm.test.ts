import { activateVersion, createProduct, createVersion } from '@handover/domain';
import { expect } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { test } from './test-in-shop.ts';

test('making an older version live says who gets what first, and is undone the same way', async () => {
  const dashboard = await openDashboard();
  const { ports, stores, shop } = dashboard;
  const { orgId, product, version } = shop;
  const next = await createVersion(ports, orgId, product.id, '2.0');
  const nextId = next.kind === 'created' ? next.version.id : '';
  const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  await stores.products.putFile(orgId, nextId, { name: 'pads.zip', size: 5, sha256 });
  await activateVersion(ports, orgId, product.id, nextId);
  const member = await dashboard.signIn('member');
  const at = `/dashboard/products/${product.id}`;
  const goTo = async (id: string) => {
    const ask = `${at}/versions/${id}/make-live`;
    const { body } = await member.get(at);
    expect(body).toMatch(/<summary>1 older version<\/summary>/);
    expect(body).toContain(`href="${ask}"`);
    const asked = decodeHtml((await member.get(ask)).body);
    expect((await member.submit(ask, ask)).statusCode).toBe(303);
    return asked;
  };
  const back = await goTo(version.id);
  expect(back.replace(/<[^>]+>/g, '')).toContain(
    'New orders then get version 1.0 instead of 2.0. Those who bought 2.0 keep it',
  );
  expect((await stores.products.find(orgId, product.id))?.activeVersionId).toBe(version.id);
  await goTo(nextId);
  expect((await stores.products.find(orgId, product.id))?.activeVersionId).toBe(nextId);
  expect((await member.get(`${at}/versions/${ports.ids.next()}/make-live`)).statusCode).toBe(404);
});

test('publishing without a live version says first that orders are held', async ({ dashboard }) => {
  const { ports, stores, shop } = dashboard;
  const added = await createProduct(ports, shop.orgId, { name: 'Keys', slug: 'keys' });
  const productId = added.kind === 'created' ? added.product.id : '';
  const member = await dashboard.signIn('member');
  const at = `/dashboard/products/${productId}`;
  const { body } = await member.get(at);
  expect(body).toContain(`href="${at}/publish"`);
  expect(body).not.toContain(`action="${at}/publish"`);
  const asked = (await member.get(`${at}/publish`)).body;
  expect(asked).toContain('It has no live version, so there is nothing to deliver yet.');
  await member.submit(`${at}/publish`, `${at}/publish`);
  expect((await stores.products.find(shop.orgId, productId))?.status).toBe('published');
  await member.submit(at, `${at}/unpublish`);
  expect((await stores.products.find(shop.orgId, productId))?.status).toBe('draft');
});

test('a version’s label may have a space', async () => {
  const { ports, shop, signIn, stores } = await openDashboard();
  const member = await signIn('member');
  const at = `/dashboard/products/${shop.product.id}`;
  await member.submit(at, `${at}/versions`, { version: ' 2.0 beta 1 ' });
  expect(
    (await stores.products.listVersions(shop.orgId, shop.product.id, 10)).map(({ version }) => version),
  ).toContain('2.0 beta 1');
  const refused = await createVersion(ports, shop.orgId, shop.product.id, '2.0  beta');
  expect(refused).toMatchObject({ kind: 'invalid', field: 'version' });
});

test('publishing a product whose version has files, but is not live, publishes that version', async () => {
  const dashboard = await openDashboard();
  const { ports, stores, shop } = dashboard;
  const { orgId } = shop;
  const added = await createProduct(ports, orgId, { name: 'Keys', slug: 'keys' });
  const productId = added.kind === 'created' ? added.product.id : '';
  const made = await createVersion(ports, orgId, productId, '1.0');
  const versionId = made.kind === 'created' ? made.version.id : '';
  const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  await stores.products.putFile(orgId, versionId, { name: 'keys.zip', size: 5, sha256 });
  const member = await dashboard.signIn('member');
  const ask = `/dashboard/products/${productId}/publish`;
  const asked = decodeHtml((await member.get(ask)).body);
  expect(asked.replace(/<[^>]+>/g, '')).toContain('Version 1.0 has 1 file, but is not live yet.');
  expect(asked).toMatch(/name="publish" value="yes"[^>]*>Publish version 1\.0</);
  expect(asked).not.toContain('Publish without a version');
  await member.submit(ask, `/dashboard/products/${productId}/versions/${versionId}/make-live`, {
    publish: 'yes',
  });
  expect(await stores.products.find(orgId, productId)).toMatchObject({
    status: 'published',
    activeVersionId: versionId,
  });
});
