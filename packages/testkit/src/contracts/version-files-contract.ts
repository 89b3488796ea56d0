import {
  activateVersion,
  createVersion,
  decideFulfilment,
  moveVersionFile,
  nameVersionFile,
  removeVersionFile,
} from '@handover/domain';
import { claimEmail } from '../complete-emails.ts';
import { makeOrder, openShop, recordOrder } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { fulfil, sell } from './shop-actions.ts';

/** Names, order and removal of the files of versions. */
export function versionFilesContract({ describe, it, expect }: StoresRunner): void {
  describe('the files of a version', () => {
    it('are in order of their names until they are moved, and a new one then comes last', async (opened) => {
      const version = await openVersion(opened, ['b.zip', 'a.zip']);
      expect(await version.names()).toEqual(['a.zip', 'b.zip']);
      await version.add('aa.zip');
      expect(await version.names()).toEqual(['a.zip', 'aa.zip', 'b.zip']);
      expect(await moveVersionFile(version, version.at('b.zip'), 'up')).toEqual({ kind: 'moved' });
      await version.add('0.zip');
      expect(await version.names()).toEqual(['a.zip', 'b.zip', 'aa.zip', '0.zip']);
      expect(await moveVersionFile(version, version.at('a.zip'), 'up')).toEqual({ kind: 'at-end' });
      expect(await moveVersionFile(version, version.at('0.zip'), 'down')).toEqual({ kind: 'at-end' });
      expect(await moveVersionFile(version, version.at('none'), 'up')).toEqual({ kind: 'unknown-file' });
    });

    it('are not ordered by names that are not all theirs', async (opened) => {
      const { products, orgId, versionId, names } = await openVersion(opened, ['a', 'b']);
      for (const wrong of [['b'], ['b', 'c'], ['b', 'a', 'c'], []]) {
        expect(await products.orderFiles(orgId, versionId, wrong)).toBe('changed');
      }
      expect(await products.orderFiles('nobody', versionId, ['b', 'a'])).toBe('changed');
      expect(await names()).toEqual(['a', 'b']);
      expect(await products.orderFiles(orgId, versionId, ['b', 'a'])).toBe('ordered');
      expect(await names()).toEqual(['b', 'a']);
    });

    it('have a name for buyers, also when they are live or uploaded again, until it is taken away', async (opened) => {
      const version = await openVersion(opened, ['a.zip']);
      expect(await nameVersionFile(version, version.at('a.zip'), ' Windows ')).toEqual({
        kind: 'named',
        displayName: 'Windows',
      });
      await version.add('a.zip', 'b'.repeat(64));
      expect((await version.files())[0]).toEqual({
        name: 'a.zip',
        size: 3,
        sha256: 'b'.repeat(64),
        displayName: 'Windows',
      });
      await version.activate();
      await nameVersionFile(version, version.at('a.zip'), 'macOS');
      expect((await version.files())[0]?.displayName).toBe('macOS');
      await nameVersionFile(version, version.at('a.zip'), ' ');
      expect(await version.files()).toEqual([{ name: 'a.zip', size: 3, sha256: 'b'.repeat(64) }]);
      expect(await nameVersionFile(version, version.at('b.zip'), 'x')).toEqual({ kind: 'unknown-file' });
    });

    it('are listed for several versions at once, of one organisation', async (opened) => {
      const { products, orgId, versionId, shop } = await openVersion(opened, ['a']);
      const listed = await products.listFiles(orgId, [versionId, shop.version.id]);
      expect([...listed].map(([id, files]) => [id, files.length]).sort()).toEqual(
        [
          [versionId, 1],
          [shop.version.id, 1],
        ].sort(),
      );
      expect((await products.listFiles(shop.version.id, [versionId])).size).toBe(0);
      expect((await products.listFiles(orgId, [])).size).toBe(0);
    });

    it('are removed while nobody can get them', async (opened) => {
      const version = await openVersion(opened, ['a', 'b', 'c']);
      const removed = await removeVersionFile(version, version.at('a'));
      expect(removed).toMatchObject({ kind: 'removed', file: { name: 'a', size: 3 } });
      expect(await version.names()).toEqual(['b', 'c']);
      expect(await removeVersionFile(version, version.at('a'))).toEqual({ kind: 'unknown-file' });
      await version.activate();
      expect(await removeVersionFile(version, version.at('b'))).toEqual({ kind: 'live' });
      // The former version is live again, and nobody bought this one.
      await activateVersion(version, version.orgId, version.productId, version.shop.version.id);
      expect((await removeVersionFile(version, version.at('b'))).kind).toBe('removed');
      expect(await removeVersionFile(version, version.at('c'))).toEqual({ kind: 'last' });
      expect(await version.names()).toEqual(['c']);
    });

    it('stay for those who bought them, who see their names and order', async (opened) => {
      const version = await openVersion(opened, ['a', 'b']);
      await nameVersionFile(version, version.at('b'), 'Manual');
      await moveVersionFile(version, version.at('b'), 'up');
      await version.activate();
      const plan = await fulfil(version, makeOrder(version.shop));
      await activateVersion(version, version.orgId, version.productId, version.shop.version.id);
      expect(await removeVersionFile(version, version.at('a'))).toEqual({ kind: 'bought' });
      const { stores, clock } = version;
      const page = await stores.links.find(version.orgId, plan.links[0]?.id ?? '');
      const shown = page?.version?.files.map(({ name, displayName }) => [name, displayName]);
      expect(shown).toEqual([
        ['b', 'Manual'],
        ['a', undefined],
      ]);
      const claim = await claimEmail(stores, version.orgId, plan.receipt?.id ?? '', clock.now());
      expect(claim).toMatchObject({ email: { items: [{ fileCount: 2, fileNames: ['Manual', 'a'] }] } });
    });

    it('are those of the version that is live when a sale by hand is recorded, whatever was live when it began', async (opened) => {
      const version = await openVersion(opened, ['a', 'b']);
      const { shop, purchases, orgId, productId } = version;
      await version.activate();
      let isFirst = true;
      const add: typeof purchases.add = async (sale) => {
        if (isFirst) {
          isFirst = false;
          await activateVersion(version, orgId, productId, shop.version.id);
          expect((await removeVersionFile(version, version.at('a'))).kind).toBe('removed');
        }
        return purchases.add(sale);
      };
      const sold = await sell({ ...version, purchases: { ...purchases, add } });
      const page = await version.links.find(orgId, sold.linkId);
      expect(page?.version?.label).toBe(shop.version.version);
      // Nothing of the first try remains.
      expect(await purchases.count(orgId)).toBe(1);
      expect((await removeVersionFile(version, version.at('b'))).kind).toBe('last');
    });

    it('refuse a plan that was made while their version was live', async (opened) => {
      const version = await openVersion(opened, ['a', 'b']);
      const { shop, clock, orgId, productId } = version;
      await version.activate();
      const order = makeOrder(shop);
      const { id } = await recordOrder(version, order);
      const known = await version.fulfilment.loadSnapshot(order);
      const plan = decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), version.ids);
      expect(plan.purchases[0]?.versionId).toBe(version.versionId);
      await activateVersion(version, orgId, productId, shop.version.id);
      expect((await removeVersionFile(version, version.at('a'))).kind).toBe('removed');
      expect(await version.fulfilment.commit(plan)).toBe('changed-meanwhile');
    });

    it('of another organisation are unknown', async (opened) => {
      const version = await openVersion(opened, ['a']);
      const other = await openShop(version, 'Other');
      const place = { ...version.at('a'), orgId: other.orgId };
      expect(await removeVersionFile(version, place)).toEqual({ kind: 'unknown-file' });
      expect(await nameVersionFile(version, place, 'x')).toEqual({ kind: 'unknown-file' });
      expect(await version.products.nameFile(other.orgId, version.versionId, 'a', 'x')).toBe(false);
      expect(await version.names()).toEqual(['a']);
    });
  });
}

/** Another version of the sample product, with files of these names. */
async function openVersion(opened: OpenedShop, names: readonly string[]) {
  const { shop, stores } = opened;
  const { products } = stores;
  const { orgId } = shop;
  const productId = shop.product.id;
  const created = await createVersion(opened, orgId, productId, '2.0');
  const versionId = created.kind === 'created' ? created.version.id : '';
  const add = (name: string, sha256 = 'a'.repeat(64)) =>
    products.putFile(orgId, versionId, { name, size: 3, sha256 });
  for (const name of names) await add(name);
  const files = async () => (await products.findVersion(orgId, productId, versionId))?.files ?? [];
  return {
    ...opened,
    orgId,
    productId,
    versionId,
    add,
    files,
    names: async () => (await files()).map(({ name }) => name),
    at: (name: string) => ({ orgId, productId, versionId, name }),
    activate: () => activateVersion(opened, orgId, productId, versionId),
  };
}
