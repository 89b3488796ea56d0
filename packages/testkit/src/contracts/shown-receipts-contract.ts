import {
  correctAddress,
  type LimitedMailer,
  linkExpiry,
  requestFreshLink,
  resendReceipt,
  restorePurchase,
  revokePurchase,
  sendEmail,
  updateOrganisation,
} from '@handover/domain';
import { claimIdOf, emailOf } from '../complete-emails.ts';
import { BY_JANA, type createManualClock, openShop, publishProduct } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';
import { claimNow, completeClaimed, makeLines, sellByOrder } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;

/** Receipts as the shop sees them after they were sent. */
export function shownReceiptsContract({ describe, it, expect }: StoresRunner): void {
  describe('a receipt that is shown', () => {
    it('shows what was sent, with the links of that mail, and does not renew them', async (opened) => {
      const { stores, shop, clock } = opened;
      await publishProduct(opened, shop.orgId, 'Keys');
      const { receiptId, purchaseId, linkId } = await sellByOrder(opened, {
        lines: makeLines('PADS', 'KEYS'),
      });
      const claim = await claimNow(opened, receiptId);
      const sentAt = clock.now();
      await completeClaimed(opened, receiptId, claimIdOf(claim), 'sent');
      clock.advance(60 * HOUR);
      const asked = await requestFreshLink(opened, opened.tokens.seal(shop.orgId, linkId));
      expect(asked.kind).toBe('mailed');
      const newest = (await collect(stores.purchases.list(shop.orgId))).map((row) => row.linkId);
      expect(newest.includes(linkId)).toBe(false);
      const before = await stores.links.find(shop.orgId, linkId);
      const shown = await stores.mailings.showReceipt(shop.orgId, purchaseId);
      expect(shown).toMatchObject({ status: 'sent', sentAt });
      expect(shown?.receipt).toEqual(emailOf(claim, 'receipt'));
      expect(await stores.links.find(shop.orgId, linkId)).toEqual(before);
    });

    it('shows the names from when it was sent, whatever was renamed since', async (opened) => {
      const { stores, shop, clock } = opened;
      const { receiptId, purchaseId } = await sellByOrder(opened);
      const show = () => stores.mailings.showReceipt(shop.orgId, purchaseId);
      const before = await show();
      expect(before).toMatchObject({ status: 'pending', worksUntil: null });
      const claimedAt = clock.now();
      await sendEmail({ ...opened, mailer: takesTime(clock) }, { orgId: shop.orgId, emailId: receiptId });
      await updateOrganisation(stores, shop.orgId, { name: 'Renamed', email: 'new@example.com' });
      await stores.products.change(shop.orgId, shop.product.id, { name: 'Grand pads' }, clock.now());
      expect(await show()).toEqual({
        receipt: before?.receipt,
        status: 'sent',
        sentAt: clock.now(),
        worksUntil: linkExpiry(claimedAt),
      });
    });

    it('is without what was revoked when it was sent, and the purchases say so', async (opened) => {
      const { stores, shop, clock } = opened;
      await publishProduct(opened, shop.orgId, 'Keys');
      const { receiptId } = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
      const rows = await collect(stores.purchases.list(shop.orgId));
      const idOf = (name: string) => rows.find(({ productName }) => productName === name)?.id ?? '';
      const leavesOut = () =>
        Promise.all(
          ['Pads', 'Keys'].map(
            async (name) => (await stores.purchases.show(shop.orgId, idOf(name)))?.receipt?.leavesOut,
          ),
        );
      const mail = (emailId: string) =>
        sendEmail({ ...opened, mailer: takesTime(clock) }, { orgId: shop.orgId, emailId });
      expect(await leavesOut()).toEqual([false, false]);
      await revokePurchase(opened, shop.orgId, idOf('Keys'), BY_JANA);
      await mail(receiptId);
      expect(await leavesOut()).toEqual([false, true]);
      await restorePurchase(opened, shop.orgId, idOf('Keys'), BY_JANA);
      expect(await leavesOut()).toEqual([false, true]);
      const seen = (await stores.mailings.find(shop.orgId, idOf('Keys')))?.receipt ?? null;
      await resendReceipt(opened, shop.orgId, idOf('Keys'), { by: BY_JANA, seen });
      await mail((await stores.mailings.find(shop.orgId, idOf('Keys')))?.receipt?.id ?? '');
      expect(await leavesOut()).toEqual([false, false]);
    });

    it('is the one that carries the purchase now, which may be refused or pending', async (opened) => {
      const { stores, shop } = opened;
      const { receiptId, purchaseId } = await sellByOrder(opened);
      const claim = await claimNow(opened, receiptId);
      await completeClaimed(opened, receiptId, claimIdOf(claim), 'refused');
      const { mailings } = stores;
      const refused = await mailings.showReceipt(shop.orgId, purchaseId);
      expect(refused).toMatchObject({ status: 'refused', sentAt: null });
      await correctAddress(opened, shop.orgId, purchaseId, 'ana@example.org', {
        by: BY_JANA,
        seen: 'ana@example.com',
      });
      const shown = await mailings.showReceipt(shop.orgId, purchaseId);
      expect(shown).toMatchObject({ status: 'pending', receipt: { customer: { email: 'ana@example.org' } } });
      const again = await claimNow(opened, shown?.receipt.id ?? '');
      expect(shown?.receipt).toEqual(emailOf(again, 'receipt'));
    });

    it('of another organisation, or of no purchase, is none', async (opened) => {
      const { purchaseId } = await sellByOrder(opened);
      const other = await openShop(opened, 'Other');
      expect(await opened.stores.mailings.showReceipt(other.orgId, purchaseId)).toBe(null);
      expect(await opened.stores.mailings.showReceipt(opened.shop.orgId, 'x')).toBe(null);
    });
  });
}

/** A mail server that accepts everything after a while. */
function takesTime(clock: ReturnType<typeof createManualClock>): LimitedMailer {
  return {
    send: async () => {
      clock.advance(1_500);
      return { kind: 'accepted', answer: '250 OK' };
    },
  };
}
