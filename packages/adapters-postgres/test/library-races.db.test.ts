import { fulfilOrder, linkExpiry, revokePurchases } from '@handover/domain';
import { BY_JANA, makeOrder, recordOrder } from '@handover/testkit';
import { beforeAll, expect, it } from 'vitest';
import { clock, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { whileLocked } from './while-locked.ts';

openShopAnew(beforeAll);

it('purchases are revoked while their buyer opens the library', async () => {
  const { purchaseIds, linkIds } = await sellThree();
  const at = clock.now();
  const query = { before: null, mailedAt: at, limit: 20, renewal: { at, expiresAt: linkExpiry(at) } };
  const results = await whileLocked('download_links where id = $1', linkIds[1] ?? '', [
    () => opened.stores.links.listOfBuyer('ana@example.com', query),
    () => revokePurchases(ports(), shop.orgId, purchaseIds, BY_JANA),
  ]);
  expect(results).toMatchObject([{ value: [{}, {}, {}] }, { value: 3 }]);
});

async function sellThree() {
  const plans = [];
  for (const orderId of ['1', '2', '3']) {
    const order = makeOrder(shop, { orderId });
    const { id } = await recordOrder(ports(), order);
    plans.push(await fulfilOrder(ports(), order, { id, attempts: 0 }));
    clock.advance(1000);
  }
  const purchaseIds = plans.flatMap(({ purchases }) => purchases.map(({ id }) => id));
  return { purchaseIds, linkIds: plans.flatMap(({ links }) => links.map(({ id }) => id)) };
}
