import {
  type ActivityEntry,
  createProduct,
  fulfilOrder,
  mapSku,
  type Product,
  releaseUnmatched,
  updateProduct,
} from '@handover/domain';
import { BY_JANA, makeLine, makeOrder, openShop, recordOrder } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

/** Several changes in one transaction, such as an action and its entry in the activity log. */
export function inTransactionContract({ describe, it, expect }: StoresRunner): void {
  describe('what is done as one', () => {
    it('is committed as a whole, with its jobs, and returns what the work returns', async (opened) => {
      const { stores, shop } = opened;
      const order = makeOrder(shop, { lines: [makeLine('KEYS')] });
      const { id: deliveryId } = await recordOrder(opened, order);
      await fulfilOrder(opened, order, { id: deliveryId, attempts: 0 });
      await opened.dropJobs(await opened.queuedJobs());
      await stores.inTransaction(async (within) => {
        const mapping = { sku: 'KEYS', platform: null, productId: shop.product.id };
        await mapSku(within, shop.orgId, mapping);
        await within.activity.add(shop.orgId, noteOf(opened));
        await releaseUnmatched({ ...opened, ...within }, shop.orgId, 'KEYS', null);
      });
      const release = { kind: 'sku', sku: 'keys', platform: null };
      expect(await opened.queuedJobs()).toMatchObject([{ kind: 'release-entries', release }]);
      expect(await stores.skuMappings.listOf(shop.orgId, shop.product.id, 10)).toMatchObject([
        { sku: 'keys' },
      ]);
      expect(await listNotes(opened)).toHaveLength(1);
    });

    it('is seen by the rest of the work, and by nobody after the work has thrown', async (opened) => {
      const { stores, shop } = opened;
      const { id } = shop.product;
      const work = stores.inTransaction(async (within) => {
        await updateProduct({ ...opened, ...within }, shop.orgId, id, { name: 'Renamed' });
        expect((await within.products.find(shop.orgId, id))?.name).toBe('Renamed');
        await within.activity.add(shop.orgId, noteOf(opened));
        throw new Error('The process died here.');
      });
      expect(await work.catch((error: Error) => error.message)).toBe('The process died here.');
      expect((await stores.products.find(shop.orgId, id))?.name).toBe(shop.product.name);
      expect(await listNotes(opened)).toEqual([]);
    });

    it('commits what was done when something else was refused', async (opened) => {
      const { stores, shop } = opened;
      const kinds = await stores.inTransaction(async (within) => {
        const ports = { ...opened, ...within };
        const refused = [
          await createProduct(ports, shop.orgId, { name: 'Pads', slug: shop.product.slug }),
          await updateProduct(ports, shop.orgId, shop.product.id, { activeVersionId: shop.orgId }),
          await mapSku(within, shop.orgId, { sku: 'KEYS', platform: null, productId: shop.orgId }),
        ];
        const created = await createProduct(ports, shop.orgId, { name: 'Keys', slug: 'keys' });
        await within.activity.add(shop.orgId, noteOf(opened));
        return [...refused, created].map(({ kind }) => kind);
      });
      expect(kinds).toEqual(['slug-taken', 'invalid', 'unknown-product', 'created']);
      const all = { text: '', status: null, before: null, limit: 10 };
      const names = (await stores.products.search(shop.orgId, all)).map(({ product }) => product.name);
      expect(names.includes('Keys')).toBe(true);
      expect(await listNotes(opened)).toHaveLength(1);
    });

    it('is isolated: nobody else sees a change before it holds', async (opened) => {
      const { stores, shop } = opened;
      const { id } = shop.product;
      let seen: Promise<Product | null> = Promise.resolve(null);
      const work = stores.inTransaction(async (within) => {
        await updateProduct({ ...opened, ...within }, shop.orgId, id, { name: 'Renamed' });
        // Some stores answer at once with the former name, others only after the transaction.
        seen = stores.products.find(shop.orgId, id);
        await within.activity.add(shop.orgId, noteOf(opened));
        throw new Error('The process died here.');
      });
      expect(await work.catch((error: Error) => error.message)).toBe('The process died here.');
      expect((await seen)?.name).toBe(shop.product.name);
    });

    it('finds a product as it is changed next, also beside another change of it', async (opened) => {
      const { stores, shop } = opened;
      const { id, name } = shop.product;
      const rename = (newName: string) =>
        stores.inTransaction(async (within) => {
          const before = await within.products.findToChange(shop.orgId, id);
          await updateProduct({ ...opened, ...within }, shop.orgId, id, { name: newName });
          return before?.name;
        });
      const names = ['Keys', 'Drums', 'Tape', 'Choir'];
      const found = await Promise.all(names.map(rename));
      const last = await stores.products.findToChange(shop.orgId, id);
      expect([...found, last?.name].sort()).toEqual([name, ...names].sort());
      expect(await stores.products.findToChange(shop.orgId, 'pads')).toBe(null);
    });

    it('undoes only its own changes when it throws', async (opened) => {
      const { stores, shop } = opened;
      const others = await openShop(opened, 'Another shop');
      let theirs: Promise<unknown> = Promise.resolve();
      const work = stores.inTransaction(async (within) => {
        await within.activity.add(shop.orgId, noteOf(opened));
        theirs = mapSku(stores, others.orgId, { sku: 'KEYS', platform: null, productId: others.product.id });
        await within.activity.add(shop.orgId, noteOf(opened));
        throw new Error('The process died here.');
      });
      expect(await work.catch((error: Error) => error.message)).toBe('The process died here.');
      await theirs;
      expect(await listNotes(opened)).toEqual([]);
      expect(await stores.skuMappings.listOf(others.orgId, others.product.id, 10)).toMatchObject([
        { sku: 'keys' },
      ]);
    });

    it('may be a part of another transaction', async (opened) => {
      const { stores } = opened;
      const { orgId } = opened.shop;
      await stores.inTransaction(async (outer) => {
        await outer.inTransaction((inner) => inner.activity.add(orgId, noteOf(opened)));
        const failing = outer.inTransaction(async (inner) => {
          await inner.activity.add(orgId, noteOf(opened));
          throw new Error('Only this part.');
        });
        expect(await failing.catch((error: Error) => error.message)).toBe('Only this part.');
      });
      expect(await listNotes(opened)).toHaveLength(1);
    });
  });
}

function noteOf({ ids, clock, shop }: OpenedShop): ActivityEntry {
  const summary = 'A change.';
  return {
    id: ids.next(),
    at: clock.now(),
    kind: 'product-changed',
    subjectId: shop.product.id,
    summary,
    ...BY_JANA,
  };
}

function listNotes({ stores, shop }: OpenedShop) {
  return stores.activity.list(shop.orgId, { subjectId: shop.product.id, before: null, limit: 10 });
}
