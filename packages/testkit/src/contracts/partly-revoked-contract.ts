import { correctAddress, resendReceipt, restorePurchase, revokePurchase } from '@handover/domain';
import { claimIdOf, emailOf } from '../complete-emails.ts';
import { BY_JANA, publishProduct } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import {
  claimNow,
  completeClaimed,
  completeNow,
  listEmailJobs,
  makeLines,
  sellByOrder,
} from './shop-actions.ts';

/** An order of several products, of which one is revoked: the others can still be mailed again. */
export function partlyRevokedContract({ describe, it, expect, open }: StoresRunner): void {
  describe('an order of which one product is revoked', () => {
    it('is mailed again with the other, and the revoked one gets no new link', async (fresh) => {
      const opened = await openPartly(fresh);
      const [pads, keys] = await opened.newestLinks();
      expect(await opened.resend(opened.padsId)).toMatchObject({ kind: 'queued' });
      expect(await mailed(opened)).toEqual(['Pads']);
      const [newPads, newKeys] = await opened.newestLinks();
      expect([newPads?.[0] === pads?.[0], newPads?.[1]]).toEqual([false, true]);
      expect(newKeys).toEqual([keys?.[0], false]);
      expect((await opened.stores.deliveries.find(opened.shop.orgId, opened.deliveryId))?.status).toBe(
        'success',
      );
    });

    it('is not mailed again for the revoked one', async (fresh) => {
      const opened = await openPartly(fresh);
      expect(await opened.resend(opened.keysId)).toEqual({ kind: 'revoked' });
      expect(await opened.correct(opened.keysId)).toEqual({ kind: 'revoked' });
    });

    it('is shown and mailed without it while its receipt is pending', async (fresh) => {
      const opened = await openPartly(fresh, 'try-again');
      const shown = await opened.stores.mailings.showReceipt(opened.shop.orgId, opened.padsId);
      expect(shown?.receipt.items.map(({ productName }) => productName)).toEqual(['Pads']);
      expect(await opened.resend(opened.padsId)).toMatchObject({ kind: 'queued', isRetriedNow: true });
      expect(await mailed(opened)).toEqual(['Pads']);
    });

    it('is mailed again with it once it is restored', async (fresh) => {
      const opened = await openPartly(fresh, 'refused');
      await opened.correct(opened.padsId);
      await mailed(opened);
      await restorePurchase(opened, opened.shop.orgId, opened.keysId, BY_JANA);
      expect(await opened.resend(opened.keysId)).toMatchObject({ kind: 'queued', email: 'ana@example.org' });
      expect([...(await mailed(opened))].sort()).toEqual(['Keys', 'Pads']);
    });

    it('stays one order however often it is mailed again and corrected', async (fresh) => {
      const opened = await openPartly(fresh);
      const { stores, shop } = opened;
      await opened.resend(opened.padsId);
      await mailed(opened);
      await opened.correct(opened.padsId);
      await mailed(opened);
      await opened.correct(opened.padsId, 'ana@example.net', 'ana@example.org');
      await mailed(opened);
      const rows = await collect(stores.purchases.list(shop.orgId));
      expect(rows.map(({ customerEmail }) => customerEmail)).toEqual(['ana@example.net', 'ana@example.net']);
      await restorePurchase(opened, shop.orgId, opened.keysId, BY_JANA);
      expect((await stores.links.find(shop.orgId, opened.keysLink))?.revokedAt === null).toBe(false);
    });

    it('says in the log that an entry of the revoked one alone is over, once the mail was accepted', async (fresh) => {
      const opened = await openPartly(fresh, 'refused');
      const { stores, shop } = opened;
      const { deliveryId } = await sellByOrder(opened, { lines: makeLines('KEYS') });
      await opened.correct(opened.padsId);
      await mailed(opened);
      expect((await stores.deliveries.find(shop.orgId, deliveryId))?.status).toBe('success');
    });

    it('moves to a corrected address as a whole', async (fresh) => {
      const opened = await openPartly(fresh, 'refused');
      const { stores, shop } = opened;
      expect(await opened.correct(opened.padsId)).toMatchObject({ kind: 'corrected' });
      expect(await mailed(opened)).toEqual(['Pads']);
      const rows = await collect(stores.purchases.list(shop.orgId));
      expect(rows.map(({ customerEmail }) => customerEmail)).toEqual(['ana@example.org', 'ana@example.org']);
      const [pads, keys] = await opened.newestLinks();
      expect([pads?.[1], keys?.[1]]).toEqual([true, false]);
    });

    it('revives no link that went to the wrong address when the product is restored', async () => {
      for (const change of ['correct', 'replace'] as const) {
        const opened = await openPartly(await open());
        const { stores, shop } = opened;
        if (change === 'correct') await opened.correct(opened.padsId);
        else await opened.resend(opened.padsId, true);
        opened.clock.advance(1000);
        await restorePurchase(opened, shop.orgId, opened.keysId, BY_JANA);
        const [, keys] = await opened.newestLinks();
        expect([change, keys?.[1]]).toEqual([change, true]);
        expect([change, keys?.[0] === opened.keysLink]).toEqual([change, false]);
        expect((await stores.links.find(shop.orgId, opened.keysLink))?.revokedAt === null).toBe(false);
      }
    });

    it('revives none of them either where all of it happened in one moment', async () => {
      for (const first of ['revoked', 'corrected'] as const) {
        const opened = await openPartly(await open());
        const { stores, shop, padsId, keysId } = opened;
        await restorePurchase(opened, shop.orgId, keysId, BY_JANA);
        if (first === 'revoked') await revokePurchase(opened, shop.orgId, keysId, BY_JANA);
        await opened.correct(padsId);
        if (first === 'corrected') await revokePurchase(opened, shop.orgId, keysId, BY_JANA);
        await restorePurchase(opened, shop.orgId, keysId, BY_JANA);
        const [, keys] = await opened.newestLinks();
        expect([first, keys?.[1]]).toEqual([first, true]);
        expect((await stores.links.find(shop.orgId, opened.keysLink))?.revokedAt === null).toBe(false);
      }
    });

    it('stays revoked since it was, however often the other is mailed', async (fresh) => {
      const opened = await openPartly(fresh);
      const { stores, shop, keysId } = opened;
      const revokedAt = async () => (await stores.purchases.show(shop.orgId, keysId))?.revokedAt;
      const before = await revokedAt();
      await opened.correct(opened.padsId);
      expect(await revokedAt()).toEqual(before);
      opened.clock.advance(1000);
      await opened.resend(opened.padsId, true);
      expect(await revokedAt()).toEqual(before);
    });

    it('is in no older library once its links are replaced, though it was revoked before that mail', async (fresh) => {
      const opened = await openPartly(fresh);
      const { stores, shop, clock } = opened;
      const email = `${shop.orgId}@example.com`;
      await opened.correct(opened.padsId, email);
      clock.advance(1000);
      const mailedAt = clock.now();
      clock.advance(1000);
      await opened.resend(opened.padsId, true);
      await restorePurchase(opened, shop.orgId, opened.keysId, BY_JANA);
      const items = await stores.links.listOfBuyer(email, {
        ...{ before: null, mailedAt, limit: 10, renewal: null },
      });
      expect(items.map(({ link }) => link)).toEqual([null, null]);
    });

    it('is decided again when the product is restored in the same moment', async (fresh) => {
      const opened = await openPartly(fresh);
      const { stores, shop, mailings } = opened;
      let isRestored = false;
      const racing = {
        ...mailings,
        find: async (orgId: string, purchaseId: string) => {
          const found = await mailings.find(orgId, purchaseId);
          if (!isRestored) await restorePurchase(opened, shop.orgId, opened.keysId, BY_JANA);
          isRestored = true;
          return found;
        },
      };
      const seen = (await mailings.find(shop.orgId, opened.padsId))?.receipt ?? null;
      await resendReceipt({ ...opened, mailings: racing }, shop.orgId, opened.padsId, { by: BY_JANA, seen });
      expect([...(await mailed(opened))].sort()).toEqual(['Keys', 'Pads']);
      expect((await stores.purchases.show(shop.orgId, opened.keysId))?.linkId === opened.keysLink).toBe(
        false,
      );
    });
  });

  describe('an order of which every product is revoked', () => {
    it('is mailed no more than was pending', async (fresh) => {
      const opened = await openPartly(fresh, 'try-again');
      await revokePurchase(opened, opened.shop.orgId, opened.padsId, BY_JANA);
      expect(await opened.resend(opened.padsId)).toEqual({ kind: 'revoked' });
    });
  });
}

/** Mails the newest receipt, and returns the products that it lists. */
async function mailed(opened: OpenedShop): Promise<readonly string[]> {
  const receiptId = await newestReceipt(opened);
  const claim = await claimNow(opened, receiptId);
  await completeClaimed(opened, receiptId, claimIdOf(claim), 'sent');
  return emailOf(claim, 'receipt')?.items.map(({ productName }) => productName) ?? [];
}

async function newestReceipt(opened: OpenedShop): Promise<string> {
  const ids = (await listEmailJobs(opened, 'receipt')).map(({ emailId }) => emailId);
  return ids.sort().at(-1) ?? '';
}

async function openPartly(opened: OpenedShop, outcome: 'sent' | 'refused' | 'try-again' = 'sent') {
  const { shop, stores, clock } = opened;
  await publishProduct(opened, shop.orgId, 'Keys');
  const sold = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
  await completeNow(opened, sold.receiptId, outcome);
  const rows = await collect(stores.purchases.list(shop.orgId));
  const [pads, keys] = ['Pads', 'Keys'].map((name) => rows.find(({ productName }) => productName === name));
  const [padsId, keysId] = [pads?.id ?? '', keys?.id ?? ''];
  clock.advance(1000);
  await revokePurchase(opened, shop.orgId, keysId, BY_JANA);
  clock.advance(1000);
  return {
    ...opened,
    padsId,
    keysId,
    deliveryId: sold.deliveryId,
    keysLink: keys?.linkId ?? '',
    /** The newest link of each, and whether it works. */
    newestLinks: () =>
      Promise.all(
        [padsId, keysId].map(async (id) => {
          const linkId = (await stores.purchases.show(shop.orgId, id))?.linkId ?? '';
          return [linkId, (await stores.links.find(shop.orgId, linkId))?.revokedAt === null] as const;
        }),
      ),
    resend: async (purchaseId: string, replacesLinks = false) => {
      const seen = (await stores.mailings.find(shop.orgId, purchaseId))?.receipt ?? null;
      return resendReceipt(opened, shop.orgId, purchaseId, { by: BY_JANA, seen, replacesLinks });
    },
    correct: (purchaseId: string, to = 'ana@example.org', seen = 'ana@example.com') =>
      correctAddress(opened, shop.orgId, purchaseId, to, { by: BY_JANA, seen }),
  };
}
