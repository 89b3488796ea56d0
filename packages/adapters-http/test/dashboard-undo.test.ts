import {
  activateVersion,
  createProduct,
  createVersion,
  restorePurchase,
  revokePurchase,
} from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { expect, test } from 'vitest';
import { readUndo } from '../src/dashboard/parts/toast.ts';
import { decodeHtml, type OpenedDashboard, openDashboard, type SignedInUser } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';

/** What the page after an action offers: the address and the fields of its "Undo". */
async function undoOn(user: SignedInUser, page: string) {
  const { body } = await user.get(page);
  const toast = body.slice(body.indexOf('id="toaster"'));
  const action = decodeHtml(/action="([^"]+)"/.exec(toast)?.[1] ?? '');
  const fields = [...toast.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    decodeHtml(value),
  ]);
  return { action, undo: () => user.post(action, Object.fromEntries(fields)) };
}

async function open() {
  const dashboard = await openDashboard();
  const { ports, shop } = dashboard;
  const { id: productId } = shop.product;
  const user = await dashboard.signIn('owner');
  const page = `/dashboard/products/${productId}`;
  const created = await createVersion(ports, shop.orgId, productId, '2.0');
  const versionId = created.kind === 'created' ? created.version.id : '';
  await ports.products.putFile(shop.orgId, versionId, { name: 'b.zip', size: 1, sha256: 'b'.repeat(64) });
  await activateVersion(ports, shop.orgId, productId, versionId);
  const live = async () => (await ports.products.find(shop.orgId, productId))?.activeVersionId;
  const summaries = async () =>
    (await ports.activity.list(shop.orgId, { subjectId: null, before: null, limit: 20 })).map(
      ({ summary, actor }) => `${summary} ${actor}`,
    );
  return { ...dashboard, user, page, productId, versionId, live, summaries };
}

test('making an older version live is undone, with an entry', async () => {
  const { user, page, shop, versionId, live, summaries } = await open();
  await user.submit(page, `${page}/versions/${shop.version.id}/make-live`);
  expect(await live()).toBe(shop.version.id);
  const { undo } = await undoOn(user, page);
  expect((await undo()).statusCode).toBe(303);
  expect(await live()).toBe(versionId);
  expect((await summaries())[0]).toBe(`Pads: version 2.0 made live. ${user.email}`);
  expect((await user.get(page)).body).toContain('Undone');
});

test('what changed meanwhile is not undone, and the page says what it is now', async () => {
  const { user, page, ports, shop, productId, live, clock, summaries } = await open();
  await user.submit(page, `${page}/versions/${shop.version.id}/make-live`);
  const { undo } = await undoOn(user, page);
  await ports.products.change(shop.orgId, productId, { activeVersionId: null }, clock.now());
  const before = await summaries();
  await undo();
  expect(await live()).toBe(null);
  expect(await summaries()).toEqual(before);
  const { body } = await user.get(page);
  expect(body).toContain('Somebody changed it meanwhile: it is published, without a live version.');
});

test('publishing without a live version is undone while it has none', async () => {
  const { user, ports, shop } = await open();
  const created = await createProduct(ports, shop.orgId, { name: 'Keys', slug: 'keys' });
  const id = created.kind === 'created' ? created.product.id : '';
  const page = `/dashboard/products/${id}`;
  await user.submit(page, `${page}/publish`);
  await (await undoOn(user, page)).undo();
  expect((await ports.products.find(shop.orgId, id))?.status).toBe('draft');
});

test('revoking is undone', async () => {
  const dashboard = await open();
  const { user, ports, shop } = dashboard;
  const { purchaseId } = await deliverOrder(dashboard);
  const page = `/dashboard/purchases/${purchaseId}`;
  await user.submit(page, `${page}/revoke`);
  const { action, undo } = await undoOn(user, page);
  expect(action).toBe(`${page}/restore`);
  await undo();
  const record = await ports.purchases.show(shop.orgId, purchaseId);
  expect(record?.revokedAt ?? null).toBe(null);
});

test('an Undo of revoking that comes too late leaves alone what somebody revoked again', async () => {
  const dashboard = await open();
  const { user, ports, shop } = dashboard;
  const { purchaseId } = await deliverOrder(dashboard);
  const page = `/dashboard/purchases/${purchaseId}`;
  await user.submit(page, `${page}/revoke`);
  const { undo } = await undoOn(user, page);
  await restorePurchase(ports, shop.orgId, purchaseId, BY_JANA);
  await revokePurchase(ports, shop.orgId, purchaseId, BY_JANA);
  await undo();
  expect((await ports.purchases.show(shop.orgId, purchaseId))?.revokedAt).not.toBe(null);
  expect((await user.get(page)).body).toContain('revoked again meanwhile, and stays revoked');
});

test('recording a sale of a product without files can be undone, and one with files offers it not', async () => {
  const { user, ports, shop } = await open();
  const created = await createProduct(ports, shop.orgId, { name: 'Keys', slug: 'keys' });
  const id = created.kind === 'created' ? created.product.id : '';
  for (const [productId, offered] of [
    [id, true],
    [shop.product.id, false],
  ] as const) {
    const sale = {
      ...{ email: `ana-${offered}@example.com`, name: 'Ana', productId, product: productId },
      ...{
        amount: '49,00',
        currency: 'EUR',
        paymentMethod: 'custom',
        key: ports.ids.next(),
        sure: productId,
        isSure: 'yes',
      },
    };
    const recorded = await user.submit('/dashboard/purchases/record', '/dashboard/purchases/record', sale);
    expect([recorded.statusCode, productId]).toEqual([303, productId]);
    const page = String(recorded.headers.location);
    const { action, undo } = await undoOn(user, page);
    expect(action).toBe(offered ? `${page}/revoke` : '');
    if (offered) expect((await undo()).statusCode).toBe(303);
  }
});

test('an Undo of a sale that comes too late changes nothing, and says what changed', async () => {
  const { user, ports, shop } = await open();
  const record = async (email: string) => {
    const created = await createProduct(ports, shop.orgId, { name: 'Keys', slug: email.split('@')[0] ?? '' });
    const productId = created.kind === 'created' ? created.product.id : '';
    const money = { amount: '49,00', currency: 'EUR', paymentMethod: 'custom' };
    const sale = { email, name: 'Ana', productId, sure: productId, key: ports.ids.next(), ...money };
    const recorded = await user.submit('/dashboard/purchases/record', '/dashboard/purchases/record', sale);
    const page = String(recorded.headers.location);
    return { productId, page, id: page.split('/').at(-1) ?? '', ...(await undoOn(user, page)) };
  };
  const published = await record('ana@example.com');
  const versionId = await liveVersion(ports, shop.orgId, published.productId);
  expect(versionId).not.toBe('');
  await published.undo();
  expect((await user.get(published.page)).body).toContain('The product has files by now');
  expect((await ports.purchases.show(shop.orgId, published.id))?.revokedAt).toBe(null);

  const revoked = await record('bo@example.com');
  await user.submit(revoked.page, `${revoked.page}/revoke`);
  await revoked.undo();
  expect((await user.get(revoked.page)).body).toContain('Somebody revoked it meanwhile');
  await user.submit(revoked.page, `${revoked.page}/restore`);
  await revoked.undo();
  expect((await user.get(revoked.page)).body).toContain('The purchase is restored: its links work again.');
  expect((await ports.purchases.show(shop.orgId, revoked.id))?.revokedAt).toBe(null);
});

async function liveVersion(ports: OpenedDashboard['ports'], orgId: string, productId: string) {
  const made = await createVersion(ports, orgId, productId, '1.0');
  if (made.kind !== 'created') return '';
  const { id } = made.version;
  await ports.products.putFile(orgId, id, { name: 'keys.zip', size: 5, sha256: 'a'.repeat(64) });
  await activateVersion(ports, orgId, productId, id);
  return id;
}

test('only the actions that undo something are read from the cookie', () => {
  const id = '018f0000-0000-7000-8000-000000000000';
  expect(readUndo({ action: `/dashboard/purchases/${id}/restore` })).toEqual({
    action: `/dashboard/purchases/${id}/restore`,
    fields: {},
  });
  for (const action of [
    `/dashboard/purchases/${id}/delete`,
    `/dashboard/purchases/${id}/restore/../delete`,
    'https://elsewhere.example/dashboard/overview/bring-back',
    '/dashboard/settings/team/remove',
    '/dashboard/purchases/bulk',
    7,
  ])
    expect(readUndo({ action })).toBe(null);
});
