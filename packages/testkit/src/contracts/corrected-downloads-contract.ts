import {
  correctAddress,
  type DownloadQuery,
  readDownloadsReport,
  resendReceipt,
  restorePurchase,
  revokePurchase,
} from '@handover/domain';
import { BY_JANA, publishProduct } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { beginDownload, completeNow, makeLines, sell, sellByOrder } from './shop-actions.ts';

const WRONG = { customerName: 'Ana Lima', customerEmail: 'ana@example.com' };
const RIGHT = { name: 'Ana Lima', email: 'ana@example.org' };
const ALL_TIME = { from: new Date(0), until: new Date('2100-01-01') };

/** Which customer a download belongs to after the address of its purchase was corrected. It may be needed as evidence. */
export function correctedDownloadsContract({ describe, it, expect }: StoresRunner): void {
  describe('a download from before an address was corrected', () => {
    it('stays one of the customer that its link was made for', async (opened) => {
      const { linkId, purchaseId } = await sell(opened);
      const id = await beginDownload(opened, linkId);
      expect(await opened.stores.sessions.show(opened.shop.orgId, id)).toMatchObject({
        ...WRONG,
        movedTo: null,
      });
      await correct(opened, purchaseId, RIGHT.email);
      expect(await opened.stores.sessions.show(opened.shop.orgId, id)).toMatchObject({
        ...WRONG,
        movedTo: RIGHT,
      });
      expect(await search(opened, {})).toMatchObject([{ id, ...WRONG, movedTo: RIGHT }]);
      expect(await report(opened)).toMatchObject([{ id, ...WRONG }]);
    });

    it('is told apart from those of the links that the correction made', async (opened) => {
      const { linkId, purchaseId } = await sell(opened);
      const former = await beginDownload(opened, linkId);
      opened.clock.advance(1000);
      await correct(opened, purchaseId, RIGHT.email);
      const later = await beginDownload(opened, await newestLink(opened, purchaseId));
      const right = { customerName: RIGHT.name, customerEmail: RIGHT.email };
      expect(await search(opened, {})).toMatchObject([
        { id: later, ...right, movedTo: null },
        { id: former, ...WRONG, movedTo: RIGHT },
      ]);
      expect(await report(opened)).toMatchObject([
        { id: former, ...WRONG },
        { id: later, ...right },
      ]);
    });

    it('is found by either customer, and by no third one', async (opened) => {
      const { linkId, purchaseId } = await sell(opened);
      const id = await beginDownload(opened, linkId);
      await correct(opened, purchaseId, 'eva@example.org');
      const other = { newCustomer: { name: 'Bea', email: 'bea@example.org' } };
      const beas = await beginDownload(opened, (await sell(opened, other)).linkId);
      const finds = { 'ana@example.com': [id], 'eva@example.org': [id], bea: [beas], nobody: [], '%': [] };
      for (const [text, ids] of Object.entries(finds)) {
        expect([text, (await search(opened, { text })).map((row) => row.id)]).toEqual([text, ids]);
      }
      expect(await search(opened, { text: 'ana', state: 'completed' })).toEqual([]);
    });

    it('keeps its customer through further corrections', async (opened) => {
      const { linkId, purchaseId } = await sell(opened);
      const first = await beginDownload(opened, linkId);
      opened.clock.advance(1000);
      await correct(opened, purchaseId, RIGHT.email);
      const second = await beginDownload(opened, await newestLink(opened, purchaseId));
      opened.clock.advance(1000);
      const third = { name: 'Ana Lima', email: 'lima@example.org' };
      await correct(opened, purchaseId, third.email);
      expect(await search(opened, {})).toMatchObject([
        { id: second, customerEmail: RIGHT.email, movedTo: third },
        { id: first, ...WRONG, movedTo: third },
      ]);
      opened.clock.advance(1000);
      await correct(opened, purchaseId, WRONG.customerEmail);
      expect(await search(opened, {})).toMatchObject([
        { id: second, customerEmail: RIGHT.email, movedTo: { email: WRONG.customerEmail } },
        { id: first, ...WRONG, movedTo: null },
      ]);
    });

    it('keeps its customer also if the purchase was revoked when the order’s address was corrected', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const { plan } = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
      const [kept, revoked] = plan.links;
      const id = await beginDownload(opened, revoked?.id ?? '');
      opened.clock.advance(1000);
      await revokePurchase(opened, opened.shop.orgId, revoked?.purchaseId ?? '', BY_JANA);
      await correct(opened, kept?.purchaseId ?? '', RIGHT.email);
      await restorePurchase(opened, opened.shop.orgId, revoked?.purchaseId ?? '', BY_JANA);
      expect(await search(opened, {})).toMatchObject([{ id, ...WRONG, movedTo: RIGHT }]);
    });

    it('counts as one of another buyer in the report', async (opened) => {
      const { linkId, purchaseId } = await sell(opened);
      await beginDownload(opened, linkId);
      opened.clock.advance(1000);
      await correct(opened, purchaseId, RIGHT.email);
      await beginDownload(opened, await newestLink(opened, purchaseId));
      const period = { from: null, to: null };
      expect(await readDownloadsReport(opened, opened.shop.orgId, period)).toMatchObject({
        total: { downloads: 2, buyers: 2 },
      });
    });
  });

  describe('a download from before links were replaced', () => {
    it('is one of the purchase’s customer', async (opened) => {
      const { purchaseId, linkId, receiptId } = await sellByOrder(opened);
      await completeNow(opened, receiptId, 'sent');
      const id = await beginDownload(opened, linkId);
      const seen = { id: receiptId, status: 'sent' } as const;
      await resendReceipt(opened, opened.shop.orgId, purchaseId, { by: BY_JANA, seen, replacesLinks: true });
      const [row] = await search(opened, {});
      expect(row).toMatchObject({ id, ...WRONG, movedTo: null });
      expect(row?.linkRevokedAt).toEqual(opened.clock.now());
    });
  });
}

async function correct(opened: OpenedShop, purchaseId: string, address: string): Promise<void> {
  const { mailings, shop } = opened;
  const seen = (await mailings.find(shop.orgId, purchaseId))?.customer.email ?? '';
  const corrected = await correctAddress(opened, shop.orgId, purchaseId, address, { by: BY_JANA, seen });
  if (corrected.kind !== 'corrected') throw new Error(corrected.kind);
}

async function newestLink({ stores, shop }: OpenedShop, purchaseId: string): Promise<string> {
  return (await stores.purchases.show(shop.orgId, purchaseId))?.linkId ?? '';
}

function search({ stores, shop, clock }: OpenedShop, query: Partial<DownloadQuery>) {
  const all = { text: '', state: null, before: null, limit: 50 };
  return stores.sessions.search(shop.orgId, { ...all, now: clock.now(), ...query });
}

function report({ stores, shop }: OpenedShop) {
  return collect(stores.sessions.list(shop.orgId, ALL_TIME));
}
