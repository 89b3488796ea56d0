import {
  ALERT_DELAY_MS,
  correctAddress,
  mapSku,
  redeliver,
  releaseEntries,
  revokeLink,
  setDefaultCurrency,
  subjectOfReceipt,
} from '@handover/domain';
import { completeEmail, sendsEmail } from '../complete-emails.ts';
import { BY_JANA, makeLine, makeOrder, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { makeLines, sell, sellByOrder, setStatus } from './shop-actions.ts';

/** The items that need a person, and the first steps of an organisation. */
export function actionItemsContract({ describe, it, expect }: StoresRunner): void {
  describe('what needs a person', () => {
    it('is nothing if all is well, or without an organisation', async (opened) => {
      const { stores, clock } = opened;
      await sellByOrder(opened);
      const rest = { unreadable: null, givenUpAlerts: null, subscriptionExpiresAt: null };
      const nothing = { held: [], unmatched: null, refused: null, postponed: null, failed: null, ...rest };
      expect(await read(opened)).toEqual(nothing);
      expect(await stores.actionItems.read('nonsense', clock.now())).toEqual(nothing);
    });

    it('are orders held for a product, each once, but while they are released', async (opened) => {
      const { stores, shop, clock } = opened;
      await setStatus(opened, 'draft');
      for (const orderId of ['1', '1', '2']) await sellByOrder(opened, { orderId });
      expect((await read(opened)).held).toEqual([
        {
          productId: shop.product.id,
          productName: 'Pads',
          productStatus: 'draft',
          hasLiveVersion: true,
          orders: 2,
          newestAt: clock.now(),
        },
      ]);
      const other = await openShop(opened, 'Other');
      expect((await stores.actionItems.read(other.orgId, clock.now())).held).toEqual([]);
      const release = { kind: 'product', productId: shop.product.id } as const;
      await stores.openDeliveries.release(shop.orgId, release, clock.now());
      expect((await read(opened)).held).toEqual([]);
      while ((await releaseEntries(opened, { orgId: shop.orgId, release })) !== 'done');
      expect((await read(opened)).held).toMatchObject([{ orders: 2 }]);
    });

    it('are SKUs without a product, until they are mapped; the two that most orders name by name', async (opened) => {
      const { stores, shop, clock } = opened;
      await sellByOrder(opened, { orderId: '1', lines: makeLines('loops', 'Bells') });
      await sellByOrder(opened, { orderId: '1', lines: makeLines('loops', 'Bells') });
      clock.advance(1000);
      await sellByOrder(opened, { orderId: '2', lines: makeLines('PADS', 'LOOPS', 'zither') });
      const { unmatched, failed } = await read(opened);
      expect(unmatched).toEqual({
        skus: 3,
        orders: 2,
        named: [
          { sku: 'LOOPS', orders: 2 },
          { sku: 'Bells', orders: 1 },
        ],
        newestAt: clock.now(),
      });
      expect(failed).toBe(null);
      for (const sku of ['loops', 'bells', 'zither']) {
        await mapSku(stores, shop.orgId, { sku, platform: null, productId: null });
      }
      expect((await read(opened)).unmatched).toBe(null);
    });

    it('is a receipt that was refused, until another one took its place', async (opened) => {
      const { shop, clock } = opened;
      const { receiptId } = await sellByOrder(opened);
      expect((await read(opened)).refused).toBe(null);
      await refuse(opened, receiptId);
      const { refused, failed } = await read(opened);
      expect(refused).toMatchObject({
        count: 1,
        newest: {
          customerName: 'Ana Lima',
          customerEmail: 'ana@example.com',
          productName: 'Pads',
          moreProducts: 0,
          answer: '550 no such user',
          at: clock.now(),
        },
      });
      expect(failed).toBe(null);
      const purchaseId = refused?.newest.purchaseId ?? '';
      await correctAddress(opened, shop.orgId, purchaseId, 'ana@example.org', {
        by: BY_JANA,
        seen: 'ana@example.com',
      });
      expect((await read(opened)).refused).toBe(null);
    });

    it('leaves out a refused receipt that was dismissed alone, in its organisation', async (opened) => {
      const { stores, shop, clock } = opened;
      for (const email of ['a@example.com', 'b@example.com'])
        await sell(opened, { sendEmail: true, newCustomer: { name: 'Jo', email } });
      const mails = (await opened.queuedJobs()).filter(sendsEmail('receipt'));
      const ids = mails.map(({ emailId }) => emailId).sort();
      for (const id of ids) await refuse(opened, id);
      const seen = { seenAt: clock.now(), seenCount: 1, at: clock.now() };
      const subject = subjectOfReceipt(ids[0] ?? '');
      const dismissal = { subject, reason: 'A test.', by: 'jana@example.com', ...seen };
      await stores.dismissals.dismiss((await openShop(opened, 'Other')).orgId, [dismissal]);
      expect((await read(opened)).refused?.count).toBe(2);
      await stores.dismissals.dismiss(shop.orgId, [dismissal]);
      expect((await read(opened)).refused).toMatchObject({
        count: 1,
        newest: { customerEmail: 'b@example.com' },
      });
    });

    it('lists a dismissed receipt again that was sent again and refused again', async (opened) => {
      const { stores, shop, clock } = opened;
      const { receiptId, deliveryId } = await sellByOrder(opened);
      await refuse(opened, receiptId);
      const seen = { seenAt: clock.now(), seenCount: 1, at: clock.now() };
      const dismissal = { subject: subjectOfReceipt(receiptId), reason: 'A test.', by: 'jana@example.com' };
      await stores.dismissals.dismiss(shop.orgId, [{ ...dismissal, ...seen }]);
      expect((await read(opened)).refused).toBe(null);
      clock.advance(1_000);
      const orders = { read: () => makeOrder(shop) };
      await redeliver({ ...opened, ...stores, orders }, shop.orgId, deliveryId);
      expect((await read(opened)).refused).toBe(null);
      await refuse(opened, receiptId);
      expect((await read(opened)).refused?.count).toBe(1);
    });

    it('names the receipt that was refused last, however old it is', async (opened) => {
      const { clock } = opened;
      const older = await sellByOrder(opened, { orderId: '1' });
      clock.advance(1000);
      const newer = await sellByOrder(opened, { orderId: '2' });
      await refuse(opened, newer.receiptId);
      const newest = async () => (await read(opened)).refused?.newest;
      expect(await newest()).toMatchObject({ purchaseId: newer.purchaseId, at: clock.now() });
      clock.advance(1000);
      await refuse(opened, older.receiptId);
      expect(await newest()).toMatchObject({ purchaseId: older.purchaseId, at: clock.now() });
    });

    it('leaves out a refused receipt whose links were withdrawn', async (opened) => {
      const { linkId } = await sell(opened, { sendEmail: true });
      const [job] = await opened.queuedJobs();
      await refuse(opened, job?.kind === 'send-email' && job.emailKind === 'receipt' ? job.emailId : '');
      expect((await read(opened)).refused?.count).toBe(1);
      await revokeLink(opened, opened.shop.orgId, linkId, BY_JANA);
      expect((await read(opened)).refused).toBe(null);
    });

    it('is a mail of alerts that was given up, until one is sent', async (opened) => {
      const nobody = { customer: { email: null, name: null } };
      await sellByOrder(opened, { ...nobody, orderId: '1' });
      await completeAlerts(opened, 'refused');
      expect((await read(opened)).givenUpAlerts).toEqual({ answer: 'Given up.', at: opened.clock.now() });
      opened.clock.advance(60 * 60 * 1000);
      await sellByOrder(opened, { ...nobody, orderId: '2' });
      await completeAlerts(opened, 'sent');
      expect((await read(opened)).givenUpAlerts).toBe(null);
    });
  });

  describe('the first steps', () => {
    it('are completed one by one', async (opened) => {
      const { stores, shop } = opened;
      const done = {
        hasCurrency: false,
        hasPublished: true,
        hasConnected: true,
        hasReceived: false,
        hasSold: false,
      };
      expect(await stores.actionItems.firstSteps(shop.orgId)).toEqual(done);
      await setStatus(opened, 'draft');
      expect(await stores.actionItems.firstSteps(shop.orgId)).toEqual({ ...done, hasPublished: false });
      await setStatus(opened, 'published');
      await setDefaultCurrency(stores, shop.orgId, 'EUR');
      done.hasCurrency = true;
      expect(await stores.actionItems.firstSteps(shop.orgId)).toEqual(done);
      await sellByOrder(opened, { lines: [makeLine('nobody')] });
      expect(await stores.actionItems.firstSteps(shop.orgId)).toEqual({ ...done, hasReceived: true });
      await sell(opened);
      expect(await stores.actionItems.firstSteps(shop.orgId)).toMatchObject({ hasSold: true });
      expect(await stores.actionItems.firstSteps('nonsense')).toEqual({
        hasCurrency: false,
        hasPublished: false,
        hasConnected: false,
        hasReceived: false,
        hasSold: false,
      });
    });
  });
}

function read({ stores, shop, clock }: OpenedShop) {
  return stores.actionItems.read(shop.orgId, clock.now());
}

async function refuse({ stores, shop, clock }: OpenedShop, receiptId: string): Promise<void> {
  const outcome = {
    kind: 'refused',
    at: clock.now(),
    answer: '550 no such user',
    reason: 'Refused.',
  } as const;
  await completeEmail(stores, shop.orgId, receiptId, clock.now(), outcome);
}

async function completeAlerts(opened: OpenedShop, kind: 'sent' | 'refused'): Promise<void> {
  const { stores, shop, clock } = opened;
  const job = (await opened.queuedJobs()).find(sendsEmail('alert'));
  if (!job) throw new Error('No mail of alerts is queued.');
  clock.advance(ALERT_DELAY_MS);
  const at = clock.now();
  const outcome =
    kind === 'sent'
      ? ({ kind, at, answer: '250 OK' } as const)
      : ({ kind, at, answer: '550 no', reason: 'Given up.' } as const);
  await completeEmail(stores, shop.orgId, job.emailId, at, outcome);
  await opened.dropJobs([job]);
}
