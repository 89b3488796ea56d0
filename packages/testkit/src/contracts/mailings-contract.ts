import { correctAddress, resendReceipt } from '@handover/domain';
import { claimIdOf, emailOf } from '../complete-emails.ts';
import { BY_JANA, openShop, publishProduct } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import {
  claimNow,
  completeClaimed,
  completeNow,
  listEmailJobs,
  makeLines,
  sellByOrder,
} from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;

/** Mailing receipts again, to the same address or a corrected one. */
export function mailingsContract({ describe, it, expect }: StoresRunner): void {
  describe('a receipt that is sent again', () => {
    it('is a new one with new links, and the links mailed before go on as they were', async (opened) => {
      const sold = await sellByOrder(opened);
      await completeNow(opened, sold.receiptId, 'sent');
      opened.clock.advance(60 * HOUR);
      expect(await resend(opened, sold.purchaseId)).toEqual({
        kind: 'queued',
        email: 'ana@example.com',
        isRetriedNow: false,
      });
      const receiptId = await newestReceipt(opened);
      expect(receiptId === sold.receiptId).toBe(false);
      const claim = await claimNow(opened, receiptId);
      expect(claim).toMatchObject({ kind: 'claimed', email: { customer: { email: 'ana@example.com' } } });
      const [row] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(row?.linkId === sold.linkId).toBe(false);
      expect(row?.downloadExpiresAt).toEqual(new Date(opened.clock.now().getTime() + 48 * HOUR));
      const former = await opened.stores.links.find(opened.shop.orgId, sold.linkId);
      expect(former).toMatchObject({ revokedAt: null });
      expect((former?.expiresAt ?? opened.clock.now()) < opened.clock.now()).toBe(true);
    });

    it('contains everything that the former one did', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const sold = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
      await completeNow(opened, sold.receiptId, 'sent');
      await resend(opened, sold.purchaseId);
      const claim = await claimNow(opened, await newestReceipt(opened));
      expect(emailOf(claim, 'receipt')?.items.map(({ productName }) => productName)).toEqual([
        'Pads',
        'Keys',
      ]);
    });

    it('after a refusal makes the entry of the log wait, and then a success', async (opened) => {
      const sold = await sellByOrder(opened);
      await completeNow(opened, sold.receiptId, 'refused');
      expect(await statusOf(opened, sold.deliveryId)).toBe('error');
      await resend(opened, sold.purchaseId);
      expect(await statusOf(opened, sold.deliveryId)).toBe('pending');
      await completeNow(opened, await newestReceipt(opened), 'sent');
      expect(await statusOf(opened, sold.deliveryId)).toBe('success');
    });

    it('while it is pending is the same one, due at once', async (opened) => {
      const sold = await sellByOrder(opened);
      await completeNow(opened, sold.receiptId, 'try-again');
      expect(await claimNow(opened, sold.receiptId)).toMatchObject({ kind: 'not-now' });
      await resend(opened, sold.purchaseId);
      expect(await claimNow(opened, sold.receiptId)).toMatchObject({
        kind: 'claimed',
        email: { attempts: 0 },
      });
    });

    it('however often it is asked for in the place of one receipt, is mailed once', async (opened) => {
      const sold = await sellByOrder(opened);
      await completeNow(opened, sold.receiptId, 'sent');
      const seen = await seenReceipt(opened, sold.purchaseId);
      const results = await Promise.all([1, 2, 3].map(() => resend(opened, sold.purchaseId, seen)));
      const email = 'ana@example.com';
      expect(results.filter(({ kind }) => kind === 'queued')).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'done-before')).toEqual([
        { kind: 'done-before', email, status: 'pending' },
        { kind: 'done-before', email, status: 'pending' },
      ]);
      const receiptId = await newestReceipt(opened);
      await completeNow(opened, receiptId, 'sent');
      const late = await resend(opened, sold.purchaseId, seen);
      expect(late).toEqual({ kind: 'done-before', email, status: 'sent' });
      expect(await newestReceipt(opened)).toBe(receiptId);
      const told = await opened.stores.activity.list(opened.shop.orgId, {
        subjectId: sold.purchaseId,
        before: null,
        limit: 10,
      });
      expect(told.filter(({ kind }) => kind === 'receipt-resent')).toHaveLength(1);
    });

    it('while it is pending, is retried now once, and not mailed again once it was sent', async (opened) => {
      const sold = await sellByOrder(opened);
      const email = 'ana@example.com';
      const pendingReceipt = await seenReceipt(opened, sold.purchaseId);
      expect(await resend(opened, sold.purchaseId, pendingReceipt)).toMatchObject({ kind: 'done-before' });
      await completeNow(opened, sold.receiptId, 'try-again');
      const results = await Promise.all([1, 2, 3].map(() => resend(opened, sold.purchaseId, pendingReceipt)));
      expect(results.filter((result) => result.kind === 'queued' && result.isRetriedNow)).toHaveLength(1);
      expect(results.filter((result) => result.kind === 'done-before')).toHaveLength(2);
      await completeNow(opened, sold.receiptId, 'sent');
      const late = await resend(opened, sold.purchaseId, pendingReceipt);
      expect(late).toEqual({ kind: 'done-before', email, status: 'sent' });
    });

    it('can end the links that were mailed before, also of the other products of its order', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const { stores, shop, clock } = opened;
      const sold = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
      await completeNow(opened, sold.receiptId, 'sent');
      const former = (await collect(stores.purchases.list(shop.orgId))).map(({ linkId }) => linkId ?? '');
      const by = { by: BY_JANA, seen: await seenReceipt(opened, sold.purchaseId), replacesLinks: true };
      const press = () => resendReceipt(opened, shop.orgId, sold.purchaseId, by);
      const results = await Promise.all([press(), press()]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(['done-before', 'queued']);
      for (const id of former)
        expect(await stores.links.find(shop.orgId, id)).toMatchObject({
          revokedAt: clock.now(),
          isReplaced: true,
        });
      const now = (await collect(stores.purchases.list(shop.orgId))).map(({ linkId }) => linkId);
      const claim = await claimNow(opened, await newestReceipt(opened));
      const mailed = emailOf(claim, 'receipt')?.items.map(({ linkId }) => linkId);
      expect(mailed?.toSorted()).toEqual(now.toSorted());
      const [told] = await stores.activity.list(shop.orgId, {
        subjectId: sold.purchaseId,
        before: null,
        limit: 1,
      });
      expect(told).toMatchObject({
        summary:
          'The receipt is sent to ana@example.com again. The links mailed before have stopped working. The one before was accepted: “2.0.0”.',
      });
    });

    it('that ends the links goes out in the place of one that is pending', async (opened) => {
      const sold = await sellByOrder(opened);
      const seen = await seenReceipt(opened, sold.purchaseId);
      const by = { by: BY_JANA, seen, replacesLinks: true };
      expect(await resendReceipt(opened, opened.shop.orgId, sold.purchaseId, by)).toMatchObject({
        kind: 'queued',
        isRetriedNow: false,
      });
      expect(await claimNow(opened, sold.receiptId)).toEqual({ kind: 'not-pending' });
      expect(await claimNow(opened, await newestReceipt(opened))).toMatchObject({ kind: 'claimed' });
    });

    it('of another organisation, or of no purchase, is unknown', async (opened) => {
      const { purchaseId } = await sellByOrder(opened);
      const other = await openShop(opened, 'Other');
      expect(await resend({ ...opened, shop: other }, purchaseId)).toEqual({ kind: 'unknown-purchase' });
      expect(await resend(opened, 'x')).toEqual({ kind: 'unknown-purchase' });
    });
  });

  describe('an address that is corrected', () => {
    it('is not overwritten by somebody who still sees the one before', async (opened) => {
      const { purchaseId } = await sellByOrder(opened);
      const seen = 'Ana@Example.com';
      const right = await correct(opened, purchaseId, 'ana@example.org', seen);
      expect(right).toMatchObject({ kind: 'corrected' });
      const receiptId = await newestReceipt(opened);
      const late = { kind: 'corrected-before', email: 'ana@example.org' };
      expect(await correct(opened, purchaseId, 'eva@example.com', seen)).toEqual(late);
      expect(await correct(opened, purchaseId, 'ana@example.org', seen)).toEqual(late);
      expect(await newestReceipt(opened)).toBe(receiptId);
    });

    it('moves the purchase to a new customer of the same name, mails there, and ends the former links', async (opened) => {
      const sold = await sellByOrder(opened);
      await completeNow(opened, sold.receiptId, 'refused');
      expect(await correct(opened, sold.purchaseId, 'ana@example.org')).toMatchObject({
        kind: 'corrected',
        email: 'ana@example.org',
      });
      const [row] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(row).toMatchObject({ customerEmail: 'ana@example.org', customerName: 'Ana Lima' });
      const former = await opened.stores.links.find(opened.shop.orgId, sold.linkId);
      expect(former).toMatchObject({ revokedAt: opened.clock.now(), isReplaced: true });
      const receiptId = await newestReceipt(opened);
      const claim = await claimNow(opened, receiptId);
      expect(claim).toMatchObject({
        email: { customer: { email: 'ana@example.org' }, items: [{ linkId: row?.linkId }] },
      });
      await completeClaimed(opened, receiptId, claimIdOf(claim), 'sent');
      expect(await statusOf(opened, sold.deliveryId)).toBe('success');
    });

    it('that is on record moves the purchase to that customer, whose name stays', async (opened) => {
      const mira = { email: 'mira@example.com', name: 'Mira Okafor' };
      await sellByOrder(opened, { lines: makeLines('PADS'), orderId: '1', customer: mira });
      const sold = await sellByOrder(opened);
      const corrected = await correct(opened, sold.purchaseId, 'MIRA@example.com');
      const rows = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(new Set(rows.map(({ customerId }) => customerId)).size).toBe(1);
      expect(corrected).toMatchObject({ kind: 'corrected', email: 'mira@example.com' });
      expect(rows[0]?.customerName).toBe('Mira Okafor');
    });

    it('keeps a receipt that was still pending from going to the wrong one', async (opened) => {
      const sold = await sellByOrder(opened);
      await correct(opened, sold.purchaseId, 'ana@example.org');
      expect(await claimNow(opened, sold.receiptId)).toEqual({ kind: 'not-pending' });
      expect(await statusOf(opened, sold.deliveryId)).toBe('pending');
    });

    it('to one new address for two orders at once makes one customer', async (opened) => {
      const one = await sellByOrder(opened, { lines: makeLines('PADS'), orderId: '1' });
      const two = await sellByOrder(opened, { lines: makeLines('PADS'), orderId: '2' });
      await Promise.all([one, two].map(({ purchaseId }) => correct(opened, purchaseId, 'ana@example.org')));
      const rows = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(rows.map(({ customerEmail }) => customerEmail)).toEqual(['ana@example.org', 'ana@example.org']);
      expect(new Set(rows.map(({ customerId }) => customerId)).size).toBe(1);
    });

    it('must be another one, and an address', async (opened) => {
      const { purchaseId } = await sellByOrder(opened);
      for (const address of ['ANA@example.com', 'nobody', 'ana@gmailcom', '']) {
        expect(await correct(opened, purchaseId, address)).toMatchObject({ kind: 'invalid', field: 'email' });
      }
    });

    it('is seen by a plan that was made before it', async (opened) => {
      const sold = await sellByOrder(opened);
      await completeNow(opened, sold.receiptId, 'refused');
      await correct(opened, sold.purchaseId, 'ana@example.org');
      const again = await sellByOrder(opened);
      expect(again.plan.purchases).toEqual([]);
      await completeNow(opened, await newestReceipt(opened), 'sent');
      expect(await statusOf(opened, again.deliveryId)).toBe('success');
      expect(await statusOf(opened, sold.deliveryId)).toBe('success');
    });
  });
}

async function resend(
  opened: OpenedShop,
  purchaseId: string,
  seen?: Awaited<ReturnType<typeof seenReceipt>>,
) {
  return resendReceipt(opened, opened.shop.orgId, purchaseId, {
    by: BY_JANA,
    seen: seen ?? (await seenReceipt(opened, purchaseId)),
  });
}

async function seenReceipt({ stores, shop }: OpenedShop, purchaseId: string) {
  return (await stores.mailings.find(shop.orgId, purchaseId))?.receipt ?? null;
}

async function correct(opened: OpenedShop, purchaseId: string, address: string, seenAddress?: string) {
  const { mailings, shop } = opened;
  const seen = seenAddress ?? (await mailings.find(shop.orgId, purchaseId))?.customer.email ?? '';
  return correctAddress(opened, shop.orgId, purchaseId, address, { by: BY_JANA, seen });
}

async function newestReceipt(opened: OpenedShop): Promise<string> {
  const jobs = await listEmailJobs(opened, 'receipt');
  return (
    jobs
      .map(({ emailId }) => emailId)
      .sort()
      .at(-1) ?? ''
  );
}

async function statusOf({ stores, shop }: OpenedShop, deliveryId: string) {
  return (await stores.deliveries.find(shop.orgId, deliveryId))?.status;
}
