import { fulfilOrder, recordDeliveries, subjectOfEntry } from '@handover/domain';
import { makeLine, makeOrder, makeReceived, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { completeNow, sellByOrder } from './shop-actions.ts';

const NOBODY = { customer: { email: null, name: null } };

/** Orders and deliveries that need a person because they failed. */
export function failedEntriesContract({ describe, it, expect }: StoresRunner): void {
  describe('what needs a person, of the webhook log', () => {
    it('are orders that failed as a whole, until one of their entries was delivered', async (opened) => {
      const nobody = { orderId: '7', customer: { email: null, name: null } };
      await sellByOrder(opened, nobody);
      const { deliveryId } = await sellByOrder(opened, nobody);
      expect((await read(opened)).failed).toEqual({
        count: 1,
        withoutAddress: 1,
        newest: {
          deliveryId,
          lacksAddress: true,
          platform: 'storefront-a',
          orderNumber: '#1001',
          reason: 'The order came without an e-mail address.',
          at: opened.clock.now(),
        },
      });
      const month = 31 * 24 * 60 * 60 * 1000;
      const later = new Date(opened.clock.now().getTime() + month);
      expect((await opened.stores.actionItems.read(opened.shop.orgId, later)).failed).toBe(null);
      await sellByOrder(opened, { orderId: '7' });
      expect((await read(opened)).failed).toBe(null);
    });

    it('is an order without an address, until one is added and it is delivered there', async (opened) => {
      const { stores, shop } = opened;
      const { deliveryId } = await sellByOrder(opened, {
        orderId: '7',
        customer: { email: null, name: null },
      });
      const other = await openShop(opened, 'Other');
      const add = (orgId: string) => stores.deliveries.addAddress(orgId, deliveryId, 'Eva@example.com');
      expect(await add(other.orgId)).toBe(false);
      expect(await stores.deliveries.addAddress(shop.orgId, 'nonsense', 'eva@example.com')).toBe(false);
      expect(await add(shop.orgId)).toBe(true);
      // The first address is kept: it may have been mailed.
      expect(await stores.deliveries.addAddress(shop.orgId, deliveryId, 'jo@example.com')).toBe(false);
      const stored = await stores.deliveries.find(shop.orgId, deliveryId);
      expect(stored).toMatchObject({ addedEmail: 'Eva@example.com', normalizedEmail: 'eva@example.com' });
      expect((await read(opened)).failed).toMatchObject({
        count: 1,
        withoutAddress: 0,
        newest: { lacksAddress: false },
      });
    });

    it('does not count as without an address if its buyer is known by what was sold of it before', async (opened) => {
      const { receiptId } = await sellByOrder(opened, { orderId: '7' });
      await completeNow(opened, receiptId, 'refused');
      const unnamed = { ...makeLine('unknown'), candidates: [] };
      const { deliveryId } = await sellByOrder(opened, { orderId: '7', lines: [unnamed], ...NOBODY });
      expect((await read(opened)).failed).toMatchObject({
        withoutAddress: 0,
        newest: { deliveryId, lacksAddress: false },
      });
    });

    it('is a genuine request that could not be read, for a month', async (opened) => {
      const { stores, shop, clock } = opened;
      const content = { kind: 'unreadable', problem: 'It is not JSON.' } as const;
      const received = makeReceived(shop, clock.now(), content);
      await recordDeliveries(opened, received, 'in-request');
      const { unreadable, failed } = await read(opened);
      expect(unreadable).toMatchObject({
        count: 1,
        newest: { platform: 'storefront-a', reason: 'It is not JSON.', at: clock.now() },
      });
      expect(failed).toBe(null);
      const later = new Date(clock.now().getTime() + 31 * 24 * 60 * 60 * 1000);
      expect((await stores.actionItems.read(shop.orgId, later)).unreadable).toBe(null);
    });

    it('is an order that could not be read, until it came again and was', async (opened) => {
      const { shop, clock } = opened;
      const entries = [
        { kind: 'error', orderId: '7', reason: 'It came without its lines.' },
        { kind: 'error', orderId: '7', reason: 'It came without its lines.' },
      ] as const;
      await recordDeliveries(
        opened,
        makeReceived(shop, clock.now(), { kind: 'translated', entries }),
        'in-request',
      );
      const { unreadable, failed } = await read(opened);
      expect(failed).toBe(null);
      expect(unreadable).toMatchObject({
        count: 1,
        newest: { platform: 'storefront-a', orderNumber: '7', reason: 'It came without its lines.' },
      });
      await sellByOrder(opened, { orderId: '7' });
      expect((await read(opened)).unreadable).toBe(null);
    });

    it('leaves out an order that was dismissed, in its organisation, until it comes again', async (opened) => {
      const { stores, shop, clock } = opened;
      const nobody = { orderId: '7', customer: { email: null, name: null } };
      await sellByOrder(opened, nobody);
      const { deliveryId } = await sellByOrder(opened, nobody);
      const entry = await stores.deliveries.open(shop.orgId, deliveryId);
      if (!entry) throw new Error('The entry is missing.');
      const seen = { seenAt: entry.receivedAt, seenCount: 1, at: clock.now() };
      const dismissal = {
        subject: subjectOfEntry(entry),
        reason: 'Refunded.',
        by: 'jana@example.com',
        ...seen,
      };
      await stores.dismissals.dismiss((await openShop(opened, 'Other')).orgId, [dismissal]);
      expect([entry.isDismissed, (await read(opened)).failed?.count]).toEqual([false, 1]);
      await stores.dismissals.dismiss(shop.orgId, [dismissal]);
      expect((await stores.deliveries.open(shop.orgId, deliveryId))?.isDismissed).toBe(true);
      expect((await read(opened)).failed).toBe(null);
      clock.advance(1000);
      await sellByOrder(opened, nobody);
      expect((await read(opened)).failed?.count).toBe(1);
    });

    it('lists an order that was dismissed again once it was delivered again, and failed', async (opened) => {
      const { stores, shop, clock } = opened;
      const { deliveryId } = await sellByOrder(opened, { orderId: '7', ...NOBODY });
      const open = () => stores.deliveries.open(shop.orgId, deliveryId);
      const entry = await open();
      if (!entry) throw new Error('The entry is missing.');
      const seen = { seenAt: clock.now(), seenCount: 1, at: clock.now() };
      const dismissal = { subject: subjectOfEntry(entry), reason: 'Refunded.', by: 'jana@example.com' };
      await stores.dismissals.dismiss(shop.orgId, [{ ...dismissal, ...seen }]);
      expect((await read(opened)).failed).toBe(null);
      clock.advance(1000);
      const again = { id: deliveryId, attempts: entry.attempts };
      await fulfilOrder(opened, makeOrder(shop, { orderId: '7', ...NOBODY }), again);
      expect([(await open())?.isDismissed, (await read(opened)).failed?.count]).toEqual([false, 1]);
      const later = { seenAt: clock.now(), seenCount: 1, at: clock.now() };
      await stores.dismissals.dismiss(shop.orgId, [{ ...dismissal, ...later }]);
      expect([(await open())?.isDismissed, (await read(opened)).failed]).toEqual([true, null]);
      await fulfilOrder(opened, makeOrder(shop, { orderId: '7' }), {
        ...again,
        attempts: again.attempts + 1,
      });
      // A delivered entry is not shown as dismissed.
      expect(await open()).toMatchObject({ status: 'pending', isDismissed: false });
    });

    it('is as new as its last failure, and names what failed last', async (opened) => {
      const { shop, clock } = opened;
      const first = await sellByOrder(opened, { orderId: '7', ...NOBODY });
      clock.advance(1000);
      const second = await sellByOrder(opened, { orderId: '8', ...NOBODY });
      const newest = async () => (await read(opened)).failed?.newest;
      expect(await newest()).toMatchObject({ deliveryId: second.deliveryId, at: clock.now() });
      clock.advance(1000);
      const entry = await opened.stores.deliveries.open(shop.orgId, first.deliveryId);
      const again = { id: first.deliveryId, attempts: entry?.attempts ?? 0 };
      await fulfilOrder(opened, makeOrder(shop, { orderId: '7', ...NOBODY }), again);
      expect(await newest()).toMatchObject({ deliveryId: first.deliveryId, at: clock.now() });
    });

    it('does not take an entry with an unmatched SKU for dismissed with its order', async (opened) => {
      const { stores, shop, clock } = opened;
      const { deliveryId } = await sellByOrder(opened, { orderId: '7', ...NOBODY });
      const other = await sellByOrder(opened, { orderId: '7', lines: [makeLine('TAPE')] });
      const open = (id: string) => stores.deliveries.open(shop.orgId, id);
      const entry = await open(deliveryId);
      if (!entry) throw new Error('The entry is missing.');
      const seen = { seenAt: clock.now(), seenCount: 1, at: clock.now() };
      const dismissal = { subject: subjectOfEntry(entry), reason: 'Refunded.', by: 'jana@example.com' };
      await stores.dismissals.dismiss(shop.orgId, [{ ...dismissal, ...seen }]);
      const shown = [await open(deliveryId), await open(other.deliveryId)];
      expect(shown.map((one) => one?.isDismissed)).toEqual([true, false]);
    });

    it('leaves out an unreadable delivery that was dismissed', async (opened) => {
      const { stores, shop, clock } = opened;
      const content = { kind: 'unreadable', problem: 'It is not JSON.' } as const;
      const receive = async () => {
        const received = makeReceived(shop, clock.now(), content);
        const recorded = await recordDeliveries(opened, received, 'in-request');
        return recorded.kind === 'recorded' ? (recorded.deliveries[0]?.id ?? '') : '';
      };
      const ids = [await receive(), await receive()];
      const entry = await stores.deliveries.open(shop.orgId, ids[0] ?? '');
      if (!entry) throw new Error('The entry is missing.');
      const seen = { seenAt: entry.receivedAt, seenCount: 1, at: clock.now() };
      const dismissal = {
        subject: subjectOfEntry(entry),
        reason: 'A probe.',
        by: 'jana@example.com',
        ...seen,
      };
      await stores.dismissals.dismiss(shop.orgId, [dismissal]);
      expect((await read(opened)).unreadable).toMatchObject({ count: 1, newest: { deliveryId: ids[1] } });
      expect(await stores.dismissals.bringBack(shop.orgId, [dismissal.subject])).toEqual([dismissal.subject]);
      expect((await read(opened)).unreadable?.count).toBe(2);
    });
  });
}

function read({ stores, shop, clock }: OpenedShop) {
  return stores.actionItems.read(shop.orgId, clock.now());
}
