import { createUser } from '@handover/domain';
import { beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../src/database/connect-database.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { count, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';
import { WAITING } from './while-locked.ts';

openShopAnew(beforeEach);

/** Counts the statements that read the table. The queue has statements of its own. */
async function countStatements(table: string, work: () => Promise<unknown>): Promise<number> {
  const { statements } = await watchStatements(opened, work);
  return statements.filter(({ text }) => text.includes(`from ${table}`)).length;
}

const times = (count: number, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, work));

async function addUser(email: string) {
  const created = await createUser(ports(), {
    email,
    name: null,
    membership: { orgId: shop.orgId, role: 'member' },
  });
  if (created.kind !== 'created') throw new Error(created.kind);
  return { userId: created.user.id, hash: ports().apiKeys.hash(created.apiKey) ?? '' };
}

it('identifies the callers of fifty requests with at most two statements, each correctly', async () => {
  const { users } = opened.storesOfOne;
  const [ana, ben] = [await addUser('ana@lumen.test'), await addUser('ben@lumen.test')];
  const hashes = Array.from({ length: 50 }, (_, at) => [ana.hash, ben.hash, '0'.repeat(64)][at % 3] ?? '');
  await users.findByKeyHash(ana.hash);
  const statements = await countStatements('api_keys', async () => {
    const callers = await Promise.all(hashes.map((hash) => users.findByKeyHash(hash)));
    expect(callers.map((caller) => caller?.userId)).toEqual(
      hashes.map((_, at) => [ana.userId, ben.userId, undefined][at % 3]),
    );
  });
  expect(statements).toBeLessThanOrEqual(2);
});

it('lists the products for fifty readers with at most two statements', async () => {
  const list = async () => {
    for await (const { product } of opened.storesOfOne.products.list(shop.orgId))
      expect(product.orgId).toBe(shop.orgId);
  };
  await list();
  expect(await countStatements('products', () => times(50, list))).toBeLessThanOrEqual(2);
});

it('rejects a request with a replaced key while other requests wait for their result', async () => {
  const { users } = opened.storesOfOne;
  const { userId, hash } = await addUser('ana@lumen.test');
  const other = openDatabase({
    url: opened.url,
    limits: LIMITS.pages,
    log: { warn: () => undefined, error: () => undefined },
  });
  const client = await other.pool.connect();
  try {
    await client.query('begin; lock table api_keys in access exclusive mode');
    const before = users.findByKeyHash(hash);
    await vi.waitFor(async () => {
      expect(await count(WAITING)).toBe(1);
    });
    await client.query('update api_keys set hash = $1 where user_id = $2', ['1'.repeat(64), userId]);
    await client.query('commit');
    const after = users.findByKeyHash(hash);
    await before;
    expect(await after).toBeNull();
  } finally {
    client.release();
    await other.close();
  }
});
