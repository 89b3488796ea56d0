import { describe, expect, test } from 'vitest';
import { addUser } from './add-user.ts';
import { bearer, openTestShop } from './open-test-shop.ts';

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

  test('is answered with 403, before 400, for a user without an organisation', async () => {
    const testShop = await openTestShop();
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

  test('of a member reads products but not purchases; an admin’s reads both', async () => {
    const testShop = await openTestShop();
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
