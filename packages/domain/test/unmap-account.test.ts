import { findDestination, mapAccount, unmapAccount } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

async function open() {
  const { shop, ...ports } = await openShopInMemory();
  const map = () => mapAccount(ports, { orgId: shop.orgId, account: 'acct_1' });
  const find = () => findDestination(ports, { kind: 'account', account: 'acct_1' });
  return { ports, shop, map, find };
}

describe('unmapping an account', () => {
  it('leaves it to nobody, and says whose it was', async () => {
    const { ports, shop, map, find } = await open();
    await map();
    const former = await find();
    const unmapped = { kind: 'unmapped', account: 'acct_1', orgId: shop.orgId };
    expect(await unmapAccount(ports, ' acct_1 ')).toEqual(unmapped);
    expect((await find()).kind).toBe('unassigned');
    await map();
    expect(await find()).toEqual(former);
  });

  it('that is nobody’s, or no account at all, is told', async () => {
    const { ports } = await open();
    expect(await unmapAccount(ports, 'acct_1')).toEqual({ kind: 'unknown-account' });
    expect(await unmapAccount(ports, 'main')).toMatchObject({ kind: 'invalid', field: 'account' });
  });
});
