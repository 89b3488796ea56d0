import { createUser, DomainError } from '@handover/domain';
import { describe, expect } from 'vitest';
import { openTestShop } from './open-test-shop.ts';
import { asUrlencoded, listSales, namedFields, post, saleFields, sendSale } from './send-form.ts';
import { test } from './test-in-shop.ts';

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'order-5001' };

  test('records the same form with the same key once, and answers alike each time', async ({ testShop }) => {
    const first = await sendSale(testShop, { sendEmail: 'true' }, key);
    const second = await sendSale(testShop, { sendEmail: 'true' }, key);
    expect(first.statusCode).toBe(201);
    expect(second.statusCode).toBe(201);
    expect(second.body).toBe(first.body);
    expect(await listSales(testShop)).toHaveLength(1);
    expect(await testShop.stores.queuedJobs()).toHaveLength(1);
  });

  test('answers 409 for another form with the same key', async ({ testShop }) => {
    await sendSale(testShop, {}, key);
    const answer = await sendSale(testShop, { amount: '50.00' }, key);
    expect(answer.statusCode).toBe(409);
    expect(namedFields(answer.body)).toEqual(['Idempotency-Key']);
    expect(await listSales(testShop)).toHaveLength(1);
  });

  test.each(['', 'a b', 'x'.repeat(256), 'clé', 'a\tb'])('400 for %j', async (value) => {
    const testShop = await openTestShop();
    const answer = await sendSale(testShop, {}, { 'idempotency-key': value });
    expect(answer.statusCode).toBe(400);
    expect(namedFields(answer.body)).toEqual(['Idempotency-Key']);
    expect(await listSales(testShop)).toEqual([]);
  });

  test('accepts 255 characters of any visible kind', async ({ testShop }) => {
    const value = `!~"<${'x'.repeat(251)}`;
    expect((await sendSale(testShop, {}, { 'idempotency-key': value })).statusCode).toBe(201);
  });
});

describe('a failure of the form', () => {
  test('with 500 is a fragment with a reference, and hides the error', async () => {
    const testShop = await openTestShop(({ purchases }) => ({
      purchases: { ...purchases, add: async () => Promise.reject(new Error('column of a secret')) },
    }));
    const answer = await sendSale(testShop);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toMatch(/^<div role="alert">[\s\S]*Reference: [0-9a-f]{16}/);
    expect(answer.body).not.toContain('secret');
  });

  test.each([
    ['while it is called', async () => Promise.reject(new DomainError('store-unavailable', 'gone'))],
    ['without an answer', () => new Promise<never>(() => undefined)],
  ])('with 503 has Retry-After when the database is unavailable, %s', async (_name, add) => {
    const testShop = await openTestShop(({ purchases }) => ({
      purchases: { ...purchases, add },
      database: { answers: async () => false },
    }));
    const answer = await sendSale(testShop);
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toMatch(/same Idempotency-Key/);
  });
});

describe('access to recording sales', () => {
  const mistaken = {
    headers: { 'content-type': 'application/json', 'idempotency-key': 'a b' },
    payload: '{',
  };

  test('is checked first: 401 as a fragment', async ({ testShop }) => {
    for (const key of [null, 'key-ffff']) {
      const answer = await post(testShop, mistaken, key);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).toMatch(/^<div role="alert">[\s\S]*API key/);
    }
  });

  test('is refused with 403 before 415 and 400, as a fragment: to a member, and a user without an organisation', async () => {
    const testShop = await openTestShop();
    for (const membership of [null, { orgId: testShop.shop.orgId, role: 'member' as const }]) {
      const email = `${testShop.ports.ids.next()}@example.com`;
      const user = await createUser(testShop.ports, { email, name: null, membership });
      if (user.kind !== 'created') throw new Error(user.kind);
      const answer = await post(testShop, mistaken, user.apiKey);
      expect(answer.statusCode).toBe(403);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.body).toMatch(membership ? /admin is required/ : /no organisation/);
    }
  });

  test('is checked before the body is read', async ({ testShop }) => {
    const form = asUrlencoded([['customerId', 'x'.repeat(10_000_000)]]);
    expect((await post(testShop, form, null)).statusCode).toBe(401);
    expect((await post(testShop, form)).statusCode).toBe(413);
  });

  test('is granted to an admin', async ({ testShop }) => {
    const membership = { orgId: testShop.shop.orgId, role: 'admin' } as const;
    const user = await createUser(testShop.ports, { email: 'admin@example.com', name: null, membership });
    if (user.kind !== 'created') throw new Error(user.kind);
    expect((await post(testShop, asUrlencoded(saleFields(testShop)), user.apiKey)).statusCode).toBe(201);
  });
});
