import { beforeAll, expect, it } from 'vitest';
import { clock, ids, opened, openShopAnew, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

it('an account is mapped while others map and unmap it', async () => {
  const { accounts } = opened.stores;
  const account = 'acct_1';
  const map = () => accounts.map({ account, orgId: shop.orgId, connectionId: ids.next(), now: clock.now() });
  const kinds = new Set<string>();
  for (let round = 0; round < 200; round += 1) {
    const [one, , other] = await Promise.all([
      map(),
      accounts.unmap(account),
      map(),
      accounts.unmap(account),
    ]);
    kinds.add(one.kind).add(other.kind);
  }
  expect([...kinds].sort()).toEqual(['already-yours', 'mapped']);
});
