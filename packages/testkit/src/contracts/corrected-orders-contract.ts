import { correctAddress } from '@handover/domain';
import { prepare } from '../runner.ts';
import { BY_JANA, publishProduct } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';
import { makeLines, sellByOrder } from './shop-actions.ts';

const TYPO = 'eva@exmaple.com';
const RIGHT = 'eva@example.com';

/** After a correction, the shop still sends the old address. Later purchases of the order must belong to the corrected one. */
export function correctedOrdersContract(runner: StoresRunner): void {
  const { describe, it, expect, open } = prepare(runner, async (opened) => {
    const { shop, stores, clock } = opened;
    for (const name of ['Keys', 'Bass', 'Drums']) await publishProduct(opened, shop.orgId, name);
    const sell = (orderId: string, email: string, ...skus: readonly string[]) => {
      clock.advance(1000);
      return sellByOrder(opened, { orderId, customer: { email, name: 'Eva' }, lines: makeLines(...skus) });
    };
    const correct = (purchaseId: string, address: string, seen: string) =>
      correctAddress(opened, shop.orgId, purchaseId, address, { by: BY_JANA, seen });
    /** The owners of the purchases of an order, by product. */
    const owners = async (orderId: string) =>
      (await collect(stores.purchases.list(shop.orgId)))
        .filter((row) => row.orderId === orderId)
        .map(({ productName, customerEmail }) => `${productName}: ${customerEmail}`)
        .sort();
    return { ...opened, sell, correct, owners };
  });

  describe('what an order sells after its address was corrected', () => {
    it('belongs to the customer of the right address', async ({ sell, correct, owners }) => {
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      await sell('1', TYPO, 'PADS', 'KEYS');
      expect(await owners('1')).toEqual([`Keys: ${RIGHT}`, `Pads: ${RIGHT}`]);
    });

    it('belongs to the last of several right addresses', async ({ sell, correct, owners }) => {
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      await correct(purchaseId, 'eva@example.org', RIGHT);
      await sell('1', TYPO, 'KEYS');
      expect(await owners('1')).toEqual(['Keys: eva@example.org', 'Pads: eva@example.org']);
    });

    it('follows the correction of what was sold to the right address', async ({ sell, correct, owners }) => {
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, 'eva@example.net', TYPO);
      const keys = (await sell('1', TYPO, 'KEYS')).purchaseId;
      await correct(keys, RIGHT, 'eva@example.net');
      await sell('1', TYPO, 'BASS');
      await sell('1', '', 'DRUMS');
      expect((await owners('1')).filter((row) => /Bass|Drums/.test(row))).toEqual([
        `Bass: ${RIGHT}`,
        `Drums: ${RIGHT}`,
      ]);
    });

    it('belongs to the corrected one of two buyers when the shop names no address', async (opened) => {
      const { sell, correct, owners } = opened;
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await sell('1', 'eva@example.net', 'KEYS');
      await correct(purchaseId, RIGHT, TYPO);
      await sell('1', '', 'BASS');
      expect((await owners('1')).includes(`Bass: ${RIGHT}`)).toBe(true);
    });

    it('belongs to the address of the last correction, of whichever product that was', async () => {
      for (const email of [TYPO, '']) {
        const { sell, correct, owners, clock } = await open();
        const pads = (await sell('1', TYPO, 'PADS')).purchaseId;
        const keys = (await sell('1', TYPO, 'KEYS')).purchaseId;
        await correct(keys, 'eva@example.net', TYPO);
        clock.advance(1000);
        await correct(pads, RIGHT, TYPO);
        await sell('1', email, 'BASS');
        expect(await owners('1')).toEqual([`Bass: ${RIGHT}`, 'Keys: eva@example.net', `Pads: ${RIGHT}`]);
      }
    });

    it('follows the correction of an address that the shop corrected as well', async (opened) => {
      const { sell, correct, owners, clock } = opened;
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, 'eva@example.net', TYPO);
      clock.advance(1000);
      await correct(purchaseId, RIGHT, 'eva@example.net');
      await sell('1', 'eva@example.net', 'KEYS');
      expect(await owners('1')).toEqual([`Keys: ${RIGHT}`, `Pads: ${RIGHT}`]);
    });

    it('follows a chain of corrections in the order in which they were made', async (opened) => {
      const { sell, correct, owners, clock } = opened;
      const pads = (await sell('1', TYPO, 'PADS')).purchaseId;
      await correct(pads, RIGHT, TYPO);
      clock.advance(1000);
      const keys = (await sell('1', TYPO, 'KEYS')).purchaseId;
      await correct(keys, TYPO, RIGHT);
      await sell('1', TYPO, 'BASS');
      expect(await owners('1')).toEqual([`Bass: ${TYPO}`, `Keys: ${TYPO}`, `Pads: ${RIGHT}`]);
    });

    it('belongs to the address of the order again once that was corrected back', async (opened) => {
      const { sell, correct, owners } = opened;
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      await correct(purchaseId, TYPO, RIGHT);
      await sell('1', TYPO, 'KEYS');
      expect(await owners('1')).toEqual([`Keys: ${TYPO}`, `Pads: ${TYPO}`]);
    });

    it('belongs to another address that the shop names by then', async ({ sell, correct, owners }) => {
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      await sell('1', 'eva@example.net', 'KEYS');
      expect(await owners('1')).toEqual(['Keys: eva@example.net', `Pads: ${RIGHT}`]);
    });

    it('changes nothing for another order of the same address', async ({ sell, correct, owners }) => {
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      await sell('2', TYPO, 'PADS');
      expect(await owners('2')).toEqual([`Pads: ${TYPO}`]);
    });

    it('belongs to the buyer of the order when the shop names no address any more', async (opened) => {
      const { sell, correct, owners, stores, shop } = opened;
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      const { deliveryId } = await sell('1', '', 'PADS', 'KEYS');
      expect(await owners('1')).toEqual([`Keys: ${RIGHT}`, `Pads: ${RIGHT}`]);
      expect((await stores.deliveries.find(shop.orgId, deliveryId))?.status).toBe('pending');
    });

    it('is mailed to the right address', async ({ sell, correct, stores, shop }) => {
      const { purchaseId } = await sell('1', TYPO, 'PADS');
      await correct(purchaseId, RIGHT, TYPO);
      const { plan } = await sell('1', TYPO, 'PADS', 'KEYS');
      const keys = plan.purchases[0]?.id ?? '';
      expect((await stores.mailings.showReceipt(shop.orgId, keys))?.receipt.customer.email).toBe(RIGHT);
    });
  });
}
