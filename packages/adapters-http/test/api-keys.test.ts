import { API_AREAS, type ApiArea, addApiKey, scopeOf } from '@handover/domain';
import { describe, expect } from 'vitest';
import { addUser } from './add-user.ts';
import { listRoutes } from './list-routes.ts';
import { createLogCapture } from './log-capture.ts';
import { bearer, openTestShop, TEST_OPTIONS, type TestShop } from './open-test-shop.ts';
import { exampleRequest, listOperations, readDocument } from './read-document.ts';
import { test } from './test-in-shop.ts';

describe('an API key', () => {
  test('is accepted as a bearer token, in any case, and as X-API-Key', async () => {
    const { app, shop } = await openTestShop();
    const spellings = [
      { authorization: `Bearer ${shop.ownerKey}` },
      { authorization: `bearer  ${shop.ownerKey}` },
      { 'x-api-key': shop.ownerKey },
      { 'X-Api-Key': ` ${shop.ownerKey} ` },
      { authorization: 'Basic cHJveHk6cHJveHk=', 'x-api-key': shop.ownerKey },
    ];
    for (const headers of spellings) {
      const answer = await app.inject({ url: '/api/products', headers });
      expect(answer.statusCode, JSON.stringify(headers)).toBe(200);
      expect(answer.json()).toBeInstanceOf(Array);
    }
  });

  test('is answered with 401 when it is missing, junk or unknown', async () => {
    const { app } = await openTestShop();
    const headers = [
      {},
      { authorization: 'Bearer ' },
      { 'x-api-key': 'junk' },
      bearer('key-ffff'),
      { authorization: 'junk' },
    ];
    for (const each of headers) {
      const answer = await app.inject({ url: '/api/products', headers: each });
      expect(answer.statusCode, JSON.stringify(each)).toBe(401);
      expect(answer.json()).toEqual({ error: expect.stringMatching(/API key/) });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('is answered with 401 before 400, 413 and 415', async () => {
    const { app } = await openTestShop();
    const json = { 'content-type': 'application/json' };
    const bodies = [
      { headers: json, payload: '{' },
      { headers: json, payload: JSON.stringify('x'.repeat(2_000_000)) },
      { headers: { 'content-type': 'text/csv' }, payload: 'a,b' },
    ];
    for (const body of bodies) {
      const answer = await app.inject({ method: 'POST', url: '/api/products', ...body });
      expect(answer.statusCode).toBe(401);
    }
  });

  test('is answered with 403, before 400, for a user without an organisation', async ({ testShop }) => {
    const key = await addUser(testShop, null);
    const answer = await testShop.app.inject({
      method: 'POST',
      url: '/api/products',
      headers: bearer(key),
      payload: {},
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/organisation/) });
  });

  test('is answered with 403 when the subscription has expired', async () => {
    const testShop = await openTestShop(({ users, clock }) => ({
      users: {
        ...users,
        findByKeyHash: async (hash) => {
          const caller = await users.findByKeyHash(hash);
          return caller?.membership
            ? { ...caller, membership: { ...caller.membership, subscriptionExpiresAt: clock.now() } }
            : caller;
        },
      },
    }));
    const answer = await testShop.app.inject({
      url: '/api/products',
      headers: bearer(testShop.shop.ownerKey),
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/subscription/) });
  });

  test('of a member reads products but not purchases; an admin’s reads both', async ({ testShop }) => {
    const member = await addUser(testShop, { orgId: testShop.shop.orgId, role: 'member' });
    const admin = await addUser(testShop, { orgId: testShop.shop.orgId, role: 'admin' });
    const status = async (url: string, key: string) =>
      (await testShop.app.inject({ url, headers: bearer(key) })).statusCode;
    expect(await status('/api/products', member)).toBe(200);
    expect(await status('/api/purchases', member)).toBe(403);
    expect(await status('/api/purchases', admin)).toBe(200);
  });

  test('is answered with 503 and Retry-After when the database is unavailable', async () => {
    const testShop = await openTestShop(({ users }) => ({
      users: { ...users, findByKeyHash: () => new Promise(() => undefined) },
      database: { answers: async () => false },
    }));
    const answer = await testShop.app.inject({
      url: '/api/products',
      headers: bearer(testShop.shop.ownerKey),
    });
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toEqual({ error: expect.any(String) });
  });
});

/** Another key of the shop's owner. */
async function addKey(testShop: TestShop, typed: { lifetimeDays?: string; scopes?: readonly string[] }) {
  const { ports, shop } = testShop;
  const owner = await ports.users.findByKeyHash(ports.apiKeys.hash(shop.ownerKey) ?? '');
  const userId = owner?.userId ?? '';
  const added = await addApiKey(ports, userId, { name: 'Export', lifetimeDays: '', scopes: null, ...typed });
  if (added.kind !== 'added') throw new Error(added.problem);
  return { ...added, userId };
}

describe('the scope of a route', () => {
  test('is declared by every route of the API, and fits its method', async () => {
    const { ports } = await openTestShop();
    const routes = await listRoutes(ports, { ...TEST_OPTIONS, platforms: [] });
    const api = routes.filter(({ path }) => path.startsWith('/api/'));
    expect(api.length).toBeGreaterThanOrEqual(20);
    for (const { method, path, scope } of api) {
      const area = scope?.split(':')[0] as ApiArea;
      expect(API_AREAS, `${method} ${path}`).toContain(area);
      expect(scope, `${method} ${path}`).toBe(scopeOf(method, area));
    }
  });

  test('is needed: a key with all others is answered with 403, which names it', async ({ testShop }) => {
    const all = API_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`]);
    for (const operation of listOperations(await readDocument(testShop.app))) {
      if (!operation.path.startsWith('/api/')) continue;
      const needed = operation['x-handover-scope'] ?? '';
      const [area] = needed.split(':');
      const others = needed.endsWith(':read')
        ? all.filter((scope) => !scope.startsWith(`${area}:`))
        : all.filter((scope) => scope !== needed);
      const { apiKey, userId } = await addKey(testShop, { scopes: others });
      const { headers, ...request } = exampleRequest(operation);
      const answer = await testShop.app.inject({ ...request, headers: { ...headers, ...bearer(apiKey) } });
      expect([operation.operationId, answer.statusCode]).toEqual([operation.operationId, 403]);
      expect(answer.body).toContain(needed);
      await testShop.ports.userKeys.revoke(userId, 'Export');
    }
  });

  test('is enough: a key with that scope alone is let in', async ({ testShop }) => {
    for (const operation of listOperations(await readDocument(testShop.app))) {
      if (!operation.path.startsWith('/api/')) continue;
      const scopes = [operation['x-handover-scope'] ?? ''];
      const { apiKey, userId } = await addKey(testShop, { scopes });
      const { headers, ...request } = exampleRequest(operation);
      const answer = await testShop.app.inject({ ...request, headers: { ...headers, ...bearer(apiKey) } });
      expect([200, 201, 204, 404, 409], operation.operationId).toContain(answer.statusCode);
      await testShop.ports.userKeys.revoke(userId, 'Export');
    }
  });

  test('does not widen what the user may do', async ({ testShop }) => {
    const member = await addUser(testShop, { orgId: testShop.shop.orgId, role: 'member' });
    const found = await testShop.ports.users.findByKeyHash(testShop.ports.apiKeys.hash(member) ?? '');
    const typed = { name: 'Export', lifetimeDays: '', scopes: ['purchases:read'] };
    const added = await addApiKey(testShop.ports, found?.userId ?? '', typed);
    const key = added.kind === 'added' ? added.apiKey : '';
    const answer = await testShop.app.inject({ url: '/api/purchases', headers: bearer(key) });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/owner or admin/) });
  });
});

test('an expired key is answered with 401, which says since when, and what to do', async ({ testShop }) => {
  const { apiKey } = await addKey(testShop, { lifetimeDays: '7' });
  testShop.clock.advance(7 * 24 * 60 * 60 * 1000);
  const answer = await testShop.app.inject({ url: '/api/products', headers: bearer(apiKey) });
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  const day = testShop.clock.now().toISOString().slice(0, 10);
  expect(answer.json()).toEqual({
    error: expect.stringMatching(`“Export” expired on ${day}. Replace it in the dashboard`),
  });
});

describe('the last use of a key', () => {
  test('is recorded once a minute, whatever number of requests there are', async () => {
    const writes: (readonly string[])[] = [];
    const testShop = await openTestShop(({ userKeys }) => ({
      userKeys: {
        ...userKeys,
        recordUses: async (hashes, at) => {
          writes.push(hashes);
          await userKeys.recordUses(hashes, at);
        },
      },
    }));
    const { userId, apiKey } = await addKey(testShop, {});
    const headers = bearer(apiKey);
    const call = () => testShop.app.inject({ url: '/api/products', headers });
    await Promise.all(Array.from({ length: 5 }, call));
    await expect.poll(() => writes).toEqual([[testShop.ports.apiKeys.hash(apiKey)]]);
    testShop.clock.advance(59_999);
    await call();
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toHaveLength(1);
    testShop.clock.advance(1);
    await call();
    await expect.poll(() => writes).toHaveLength(2);
    const used = (await testShop.ports.userKeys.list(userId)).find(({ name }) => name === 'Export');
    expect(used?.lastUsedAt).toEqual(testShop.clock.now());
  });

  test('keeps no request waiting, nor fails one', async () => {
    const testShop = await openTestShop(({ userKeys }) => ({
      userKeys: { ...userKeys, recordUses: () => new Promise(() => undefined) },
    }));
    const headers = bearer(testShop.shop.ownerKey);
    expect((await testShop.app.inject({ url: '/api/products', headers })).statusCode).toBe(200);
    const { logger, lines } = createLogCapture();
    const gone = Object.assign(new Error('gone'), { detail: 'Key (email)=(ana@example.com)' });
    const failing = await openTestShop(
      ({ userKeys }) => ({ userKeys: { ...userKeys, recordUses: () => Promise.reject(gone) } }),
      { log: logger },
    );
    const call = { url: '/api/products', headers: bearer(failing.shop.ownerKey) };
    expect((await failing.app.inject(call)).statusCode).toBe(200);
    expect((await failing.app.inject(call)).statusCode).toBe(200);
    // Why, but not the row that the database names in its error.
    await expect
      .poll(() => lines)
      .toContainEqual(
        expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'gone' }) }),
      );
    expect(JSON.stringify(lines)).not.toContain('ana@example.com');
  });
});
