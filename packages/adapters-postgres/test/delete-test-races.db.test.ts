import { deleteTestPurchase, fulfilOrder } from '@handover/domain';
import { BY_JANA, claimEmail, makeOrder, recordOrder } from '@handover/testkit';
import { beforeAll, expect, it } from 'vitest';
import { clock, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { whileLocked } from './while-locked.ts';

openShopAnew(beforeAll);

it('a test purchase is deleted while its receipt is claimed', async () => {
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports(), order, { isTest: true });
  const { purchases, receipt } = await fulfilOrder(ports(), order, { id, attempts: 0 });
  const purchaseId = purchases[0]?.id ?? '';
  const results = await whileLocked('delivery_lines where purchase_id = $1', purchaseId, [
    () => deleteTestPurchase(ports(), shop.orgId, purchaseId, BY_JANA),
    () => claimEmail(opened.stores, shop.orgId, receipt?.id ?? '', clock.now()),
  ]);
  expect(results).toMatchObject([{ value: 'deleted' }, { value: { kind: 'not-pending' } }]);
});
