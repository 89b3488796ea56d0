import { createVersion, keepContent, removeOldContents, removeVersionFile } from '@handover/domain';
import { prepare } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

/** Which contents of the file store may be removed, and when. */
export function contentsContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openContents);

  describe('a content', () => {
    it('is removed once no file has referred to it for some days, counted from the next run', async (shop) => {
      await shop.put('x', A);
      expect(await shop.run()).toEqual([]);
      await shop.remove('x');
      shop.clock.advance(DAY);
      expect(await shop.run()).toEqual([]);
      shop.clock.advance(10 * DAY - 1);
      expect(await shop.run()).toEqual([]);
      shop.clock.advance(1);
      expect(await shop.run()).toEqual([A]);
      shop.clock.advance(20 * DAY);
      expect(await shop.run()).toEqual([]);
    });

    it('of a file that was replaced is removed, and that of the new one stays', async (shop) => {
      await shop.put('x', A);
      await shop.put('x', B);
      expect(await shop.runLater()).toEqual([A]);
    });

    it('stays while another file refers to it, and goes after the last one', async (shop) => {
      await shop.put('x', A);
      await shop.put('y', A);
      await shop.remove('x');
      expect(await shop.runLater()).toEqual([]);
      expect(await shop.runLater()).toEqual([]);
      await shop.remove('y');
      expect(await shop.runLater()).toEqual([A]);
    });

    it('stays while nothing was removed, and when a removal was refused', async (shop) => {
      await shop.put('x', A);
      await shop.put('x', A);
      expect(await shop.remove('unknown')).toEqual({ kind: 'unknown-file' });
      expect(await shop.runLater()).toEqual([]);
    });

    it('that was stored and became no file is removed, and one that became a file is not', async (shop) => {
      for (const sha256 of [A, B]) expect(await shop.keep(sha256)).toBe('kept');
      await shop.put('x', B);
      expect(await shop.runLater()).toEqual([A]);
      expect(await shop.runLater()).toEqual([]);
    });

    it('that is stored again is kept from then on, however long ago its file was removed', async (shop) => {
      await shop.put('x', A);
      await shop.remove('x');
      await shop.run();
      shop.clock.advance(10 * DAY);
      expect(await shop.keep(A)).toBe('kept');
      expect(await shop.run()).toEqual([]);
      await shop.put('x', A);
      expect(await shop.runLater()).toEqual([]);
    });

    it('that is being removed is not kept, until a removal of before would be over', async (shop) => {
      await shop.keep(A);
      await shop.claim();
      shop.clock.advance(10 * DAY);
      expect((await shop.claim()).unreferenced).toEqual([{ orgId: shop.orgId, sha256: A }]);
      expect(await shop.keep(A)).toBe('removing');
      shop.clock.advance(15 * MINUTE - 1);
      expect(await shop.keep(A)).toBe('removing');
      shop.clock.advance(1);
      expect(await shop.keep(A)).toBe('kept');
      shop.clock.advance(5 * DAY);
      expect(await shop.run()).toEqual([]);
    });

    it('that could not be removed is claimed again a day later, and then removed from the list', async (shop) => {
      await shop.keep(A);
      await shop.claim();
      shop.clock.advance(10 * DAY);
      expect(await shop.run(new Error('denied'))).toBe('denied');
      shop.clock.advance(DAY - 1);
      expect(await shop.run()).toEqual([]);
      shop.clock.advance(1);
      expect(await shop.run()).toEqual([A]);
      expect(await shop.keep(A)).toBe('kept');
    });

    it('that is kept again since is not forgotten by who claimed it before', async (shop) => {
      await shop.keep(A);
      await shop.claim();
      shop.clock.advance(10 * DAY);
      const claimedAt = shop.clock.now();
      await shop.claim();
      shop.clock.advance(15 * MINUTE);
      await shop.keep(A);
      await shop.contents.forget({ orgId: shop.orgId, sha256: A }, claimedAt);
      expect(await shop.runLater()).toEqual([A]);
    });

    it('belongs to one organisation: a file of another does not keep it', async (shop) => {
      const other = await openShop(shop.opened, 'Other');
      await shop.put('x', A);
      await shop.keep(A, other.orgId);
      expect(await shop.runLater()).toEqual([A]);
      expect(shop.removedOf()).toEqual([other.orgId]);
    });

    it('is claimed in batches, the longest due first', async (shop) => {
      const hashes = Array.from({ length: 250 }, (_, at) => String(at).padStart(64, '0'));
      for (const sha256 of hashes) await shop.keep(sha256);
      await shop.claim();
      shop.clock.advance(10 * DAY);
      expect((await shop.claim(100)).count).toBe(100);
      expect(await shop.run()).toHaveLength(150);
    });
  });
}

/** A version whose files are added and removed, and runs that keep contents for ten days. */
async function openContents(opened: OpenedShop) {
  const { shop, clock, stores } = opened;
  const { contents, products } = stores;
  const { orgId } = shop;
  const productId = shop.product.id;
  const created = await createVersion(opened, orgId, productId, '2.0');
  const versionId = created.kind === 'created' ? created.version.id : '';
  const at = (name: string) => ({ orgId, productId, versionId, name });
  const removed: { readonly orgId: string; readonly sha256: string }[] = [];
  const run = async (failure: Error | null = null) => {
    const before = removed.length;
    const remove = async (of: string, sha256: string) => {
      if (failure) throw failure;
      removed.push({ orgId: of, sha256 });
    };
    try {
      await removeOldContents({ clock, contents, files: { remove } }, 10);
    } catch (error) {
      if (failure && error instanceof Error && error.cause === failure) return failure.message;
      throw error;
    }
    return removed.slice(before).map(({ sha256 }) => sha256);
  };
  return {
    opened,
    orgId,
    clock,
    contents,
    run,
    runLater: async () => {
      await run();
      clock.advance(10 * DAY);
      return run();
    },
    removedOf: () => removed.map((content) => content.orgId),
    put: (name: string, sha256: string) => products.putFile(orgId, versionId, { name, size: 3, sha256 }),
    remove: (name: string) => removeVersionFile(opened, at(name)),
    keep: (sha256: string, of = orgId) => keepContent(opened, { orgId: of, sha256 }),
    claim: (limit = 500) => {
      const now = clock.now();
      const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
      return contents.claim({ now, dueAt: later(10 * DAY), retryAt: later(DAY), limit });
    },
  };
}
