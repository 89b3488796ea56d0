import { openShop } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { addUser } from './add-user.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { type DocumentedOperation, exampleRequest, listOperations, readDocument } from './read-document.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { deliverOrder, download } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

// Generated over every route under /api, so that a new one cannot be forgotten: `openapi-document.test.ts` proves that
// the document holds them all.

/** Members read and write product and download data; all else needs an owner or admin. */
function isForMembers({ path }: DocumentedOperation): boolean {
  return /^\/api\/(products|uploads|download-sessions|download-links)(\/|$)/.test(path);
}

async function listApi(testShop: TestShop): Promise<readonly DocumentedOperation[]> {
  const operations = listOperations(await readDocument(testShop.app));
  return operations.filter(({ path }) => path.startsWith('/api/'));
}

async function call(testShop: TestShop, operation: DocumentedOperation, key: string | null) {
  const { headers, ...request } = exampleRequest(operation);
  return testShop.app.inject({ ...request, headers: { ...headers, ...(key === null ? {} : bearer(key)) } });
}

/** Each error in the format of its endpoint. */
function expectRefusal(
  { path, method }: DocumentedOperation,
  answer: Awaited<ReturnType<typeof call>>,
  status: number,
  sentence: RegExp,
): void {
  const at = `${method} ${path}`;
  expect(answer.statusCode, at).toBe(status);
  const type = answer.headers['content-type'];
  if (path.startsWith('/api/reports/')) {
    expect(type, at).toBe('text/plain; charset=utf-8');
    expect(answer.body, at).toMatch(sentence);
  } else if (path === '/api/purchases' && method === 'POST') {
    expect(type, at).toBe('text/html; charset=utf-8');
    expect(answer.body, at).toMatch(sentence);
  } else {
    expect(answer.json(), at).toEqual({ error: expect.stringMatching(sentence) });
  }
}

describe('on every route of the API', () => {
  test('are numerous', async () => {
    expect((await listApi(await openTestShop())).length).toBeGreaterThanOrEqual(14);
  });

  test.each(['owner', 'admin'] as const)('an %s is let in', async (role) => {
    const testShop = await openTestShop();
    const key = await addUser(testShop, { orgId: testShop.shop.orgId, role });
    for (const operation of await listApi(testShop)) {
      const { statusCode } = await call(testShop, operation, key);
      expect([200, 201, 204, 404, 409], operation.operationId).toContain(statusCode);
    }
  });

  test('a member has access to products, versions, files and downloads, and to nothing else', async () => {
    const testShop = await openTestShop();
    const key = await addUser(testShop, { orgId: testShop.shop.orgId, role: 'member' });
    for (const operation of await listApi(testShop)) {
      const answer = await call(testShop, operation, key);
      if (isForMembers(operation)) expect([200, 201, 204, 404, 409]).toContain(answer.statusCode);
      else expectRefusal(operation, answer, 403, /owner or admin/);
    }
  });

  test('a user without an organisation has no access', async ({ testShop }) => {
    const key = await addUser(testShop, null);
    for (const operation of await listApi(testShop)) {
      expectRefusal(operation, await call(testShop, operation, key), 403, /no organisation/);
    }
  });

  test.each(['owner', 'admin', 'member'] as const)(
    'an %s is not once the subscription has expired, and is again once it is renewed',
    async (role) => {
      const testShop = await openTestShop();
      const key = await addUser(testShop, { orgId: testShop.shop.orgId, role });
      await testShop.stores.organisations.setSubscription(testShop.shop.orgId, testShop.clock.now(), null);
      for (const operation of await listApi(testShop)) {
        expectRefusal(operation, await call(testShop, operation, key), 403, /subscription/);
      }
      await testShop.stores.organisations.setSubscription(testShop.shop.orgId, null, testShop.clock.now());
      expect((await testShop.app.inject({ url: '/api/products', headers: bearer(key) })).statusCode).toBe(
        200,
      );
    },
  );

  test('a request without a valid key has no access', async ({ testShop }) => {
    for (const operation of await listApi(testShop)) {
      for (const key of [null, 'junk', 'key-ffff']) {
        const answer = await call(testShop, operation, key);
        expectRefusal(operation, answer, 401, /API key/);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
  });
});

describe('data of another organisation', () => {
  test('is answered with 404 on every route with an id', async ({ testShop }) => {
    const other = await openShop({ ...testShop.ports, stores: testShop.stores }, 'Other');
    const delivery = await recordedDelivery(testShop, other);
    await testShop.stores.skuMappings.put(other.orgId, {
      sku: 'theirs',
      platform: 'storefront-a',
      productId: null,
    });
    const theirs = {
      linkId: (await deliverOrder({ ...testShop, shop: other }, { orderId: '5002' })).linkId,
      productId: other.product.id,
      versionId: other.version.id,
      deliveryId: delivery.id,
      sku: 'THEIRS',
      customerId: '00000001-0000-7000-8000-00000000ffff',
    };
    const withIds = (await listApi(testShop)).filter(
      ({ path, operationId }) => path.includes('{') || operationId === 'recordPurchase',
    );
    expect(withIds.length).toBeGreaterThanOrEqual(8);
    const send = (operation: DocumentedOperation, ids: Readonly<Record<string, string>>) => {
      const { headers, ...request } = exampleRequest(operation, ids);
      return testShop.app.inject({ ...request, headers: { ...headers, ...bearer(testShop.shop.ownerKey) } });
    };
    for (const operation of withIds) {
      expect((await send(operation, theirs)).statusCode, operation.operationId).toBe(404);
    }
    const ownProduct = { ...theirs, productId: testShop.shop.product.id };
    const ofTheirs = withIds.filter(({ path }) => path.includes('{versionId}'));
    const toTheirs = withIds.filter(({ operationId }) => operationId === 'recordPurchase');
    for (const operation of [...ofTheirs, ...toTheirs]) {
      expect((await send(operation, ownProduct)).statusCode, operation.operationId).toBe(404);
    }
    expect((await testShop.stores.products.find(other.orgId, other.product.id))?.name).toBe('Pads');
    expect((await testShop.stores.links.find(other.orgId, theirs.linkId))?.revokedAt).toBe(null);
  });

  test('never appears in lists', async ({ testShop }) => {
    const other = await openShop({ ...testShop.ports, stores: testShop.stores }, 'Other');
    const { linkId } = await deliverOrder({ ...testShop, shop: other });
    await download({ ...testShop, shop: other }, linkId, 5, false);
    await testShop.stores.skuMappings.put(other.orgId, { sku: 'theirs', platform: null, productId: null });
    const lists = (await listApi(testShop)).filter(
      ({ method, path }) => method === 'GET' && !path.includes('{'),
    );
    for (const { path } of lists) {
      const answer = await testShop.app.inject({ url: path, headers: bearer(testShop.shop.ownerKey) });
      expect(answer.statusCode, path).toBe(200);
      expect(answer.body, path).not.toContain(other.orgId);
      expect(answer.body, path).not.toContain('theirs');
    }
  });
});
