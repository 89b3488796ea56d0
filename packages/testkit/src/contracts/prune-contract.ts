import {
  type OpenedLogEntry,
  type Proof,
  type Prunable,
  pruneOld,
  recordDeliveries,
  subjectOfEntry,
  subjectOfReceipt,
} from '@handover/domain';
import { makeLine, makeOrder, makeReceived, openShop, recordOrder } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { openUser } from './open-user.ts';
import { completeNow, fulfil, record, sell } from './shop-actions.ts';

const DAY = 24 * 60 * 60 * 1000;
const ALL = { status: null, platform: null, before: null, limit: 100 };

/** Deleting old rows. */
export function pruneContract({ describe, it, expect }: StoresRunner): void {
  describe('old entries of the webhook log', () => {
    it('are deleted with their lines, and their orders are still delivered once', async (opened) => {
      const { stores, shop, clock } = opened;
      const order = makeOrder(shop);
      const { receipt } = await fulfil(opened, order);
      await completeNow(opened, receipt?.id ?? '', 'sent');
      await fulfil(opened, makeOrder(shop, { orderId: '2', lines: [makeLine('unknown')] }));
      clock.advance(30 * DAY);
      expect(await prune(opened, 'logEntries', 30)).toBe(0);
      clock.advance(1);
      const young = await fulfil(opened, makeOrder(shop, { orderId: '3', test: true }));
      expect(await prune(opened, 'logEntries', 30)).toBe(2);
      const left = await stores.deliveries.list(shop.orgId, ALL);
      expect(left.map(({ id }) => id)).toEqual([young.delivery.id]);
      expect(await stores.openDeliveries.countUnmatched(shop.orgId)).toBe(0);
      const again = await fulfil(opened, order);
      expect(again.delivery.lines[0]?.outcome).toBe('already-delivered');
      expect(await collect(stores.purchases.list(shop.orgId))).toHaveLength(2);
    });

    it('are deleted with their dismissals, once no later entry of the order is left', async (opened) => {
      const { stores, shop, clock } = opened;
      const other = await openShop(opened, 'Other');
      const fail = async (orderId: string) => {
        const order = makeOrder(shop, { orderId, customer: { email: null, name: null } });
        return openEntry(opened, (await fulfil(opened, order)).delivery.id);
      };
      const again = await fail('1');
      const failed = await fail('2');
      const content = { kind: 'unreadable', problem: 'It is not JSON.' } as const;
      const received = makeReceived(shop, clock.now(), content);
      const recorded = await recordDeliveries(opened, received, 'in-background');
      const [delivery] = recorded.kind === 'recorded' ? recorded.deliveries : [];
      const unreadable = await openEntry(opened, delivery?.id ?? '');
      clock.advance(DAY);
      const later = await fail('1');
      const subjects = [again, failed, unreadable].map(subjectOfEntry);
      const seen = [later, failed, unreadable].map(({ receivedAt }) => receivedAt);
      const all = [...subjects, 'failed', subjectOfReceipt(failed.id)].map((subject, at) => ({
        ...{ subject, seenAt: seen[at] ?? failed.receivedAt, seenCount: 1, reason: 'A test.' },
        ...{ by: 'jana@example.com', at: clock.now() },
      }));
      for (const orgId of [shop.orgId, other.orgId]) await stores.dismissals.dismiss(orgId, all);
      const left = async (orgId = shop.orgId) => {
        const found = await stores.dismissals.list(
          orgId,
          all.map(({ subject }) => subject),
        );
        return found.map(({ subject }) => subject).sort();
      };
      const stay = ['failed', subjectOfReceipt(failed.id)];
      clock.advance(29 * DAY);
      expect([await prune(opened, 'logEntries', 30), (await left()).length]).toEqual([0, 5]);
      clock.advance(1);
      expect([await prune(opened, 'logEntries', 30), await left()]).toEqual([
        3,
        [...stay, subjectOfEntry(later)].sort(),
      ]);
      clock.advance(DAY);
      expect([await prune(opened, 'logEntries', 30), await left()]).toEqual([1, stay]);
      expect(await left(other.orgId)).toHaveLength(5);
    });

    it('stay while they are pending or held', async (opened) => {
      const { stores, shop, clock } = opened;
      await recordOrder(opened, makeOrder(shop));
      await stores.organisations.setSubscription(shop.orgId, clock.now(), null);
      await fulfil(opened, makeOrder(shop, { orderId: '2' }));
      clock.advance(400 * DAY);
      expect(await prune(opened, 'logEntries', 30)).toBe(0);
      expect(await stores.deliveries.list(shop.orgId, ALL)).toHaveLength(2);
    });
  });

  describe('old downloads', () => {
    it('are deleted once nothing was sent of them for this long', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const { linkId } = await sell(opened);
      const begin = () =>
        stores.sessions.begin(shop.orgId, linkId, {
          sessionId: ids.next(),
          joining: null,
          client: 'browser',
          at: clock.now(),
        });
      const send = async (id: string | null) => {
        const file = { version: '1.0', name: 'a.zip', size: 10, ranges: [{ start: 0, end: 5 }] };
        await stores.sessions.addSent(shop.orgId, id ?? '', file, clock.now());
      };
      const first = await begin();
      await send(first);
      clock.advance(DAY);
      const second = await begin();
      clock.advance(30 * DAY);
      await send(second);
      expect(await prune(opened, 'downloads', 30)).toBe(1);
      expect(await stores.sessions.show(shop.orgId, first ?? '')).toBe(null);
      expect((await stores.sessions.show(shop.orgId, second ?? ''))?.id).toBe(second);
    });
  });

  describe('old activity', () => {
    it('is deleted, of every organisation', async (opened) => {
      const { stores, shop, clock } = opened;
      const other = { ...opened, shop: await openShop(opened, 'Other') };
      const list = ({ orgId }: { readonly orgId: string }) =>
        stores.activity.list(orgId, { subjectId: null, before: null, limit: 100 });
      await sell(opened);
      await sell(other);
      const old = (await list(shop)).length + (await list(other.shop)).length;
      clock.advance(30 * DAY);
      expect(await prune(opened, 'activity', 30)).toBe(0);
      clock.advance(1);
      await sell(opened, { newCustomer: { name: 'Bo', email: 'bo@example.com' } });
      expect(await prune(opened, 'activity', 30)).toBe(old);
      expect([(await list(shop)).length, (await list(other.shop)).length]).toEqual([1, 0]);
    });
  });

  describe('idempotency keys', () => {
    it('are kept for the given time, and are free again then', async (opened) => {
      const first = await record(opened, {}, 'key-1');
      opened.clock.advance(30 * DAY);
      expect(await prune(opened, 'idempotencyKeys', 30)).toBe(0);
      expect(await record(opened, {}, 'key-1')).toEqual(first);
      opened.clock.advance(1);
      expect(await prune(opened, 'idempotencyKeys', 30)).toBe(1);
      const anew = await record(opened, { newCustomer: { name: 'Bo', email: 'bo@example.com' } }, 'key-1');
      expect(anew.kind).toBe('recorded');
      expect(JSON.stringify(anew) === JSON.stringify(first)).toBe(false);
    });
  });

  describe('proofs', () => {
    it('are kept while they could verify again', async (opened) => {
      await use(opened, 'body');
      opened.clock.advance(400 * DAY);
      expect(await prune(opened, 'proofs', 30)).toBe(0);
      expect(await use(opened, 'other')).toEqual({ kind: 'refused', reason: 'Used before.' });
    });

    it('of a strict connection are deleted once they are old', async (opened) => {
      const { stores, shop, clock } = opened;
      await stores.connections.setRules(shop.orgId, 'storefront-a', shop.connection.name, { strict: true });
      await use(opened, 'body');
      clock.advance(30 * DAY);
      expect(await prune(opened, 'proofs', 30)).toBe(0);
      clock.advance(1);
      expect(await prune(opened, 'proofs', 30)).toBe(1);
      expect((await use(opened, 'other')).kind).toBe('recorded');
    });

    it('are deleted once every secret is newer than they are', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      await use(opened, 'body');
      clock.advance(DAY);
      await stores.connections.replaceSecret({
        ...{ orgId: shop.orgId, platform: 'storefront-a', name: shop.connection.name },
        ...{ connectionId: ids.next(), secretId: ids.next(), secret: 'another', now: clock.now() },
        formerUntil: clock.now(),
      });
      expect(await prune(opened, 'proofs', 30)).toBe(0);
      clock.advance(30 * DAY + 1);
      expect(await prune(opened, 'proofs', 30)).toBe(1);
    });
  });

  describe('sign-ins and sessions', () => {
    it('are deleted some days after they have ended', async (opened) => {
      await (await openUser(opened)).signIn();
      opened.clock.advance(7 * DAY);
      expect(await prune(opened, 'signIns', 7)).toBe(0);
      opened.clock.advance(DAY);
      expect(await prune(opened, 'signIns', 7)).toBe(1);
      opened.clock.advance(400 * DAY);
      expect(await prune(opened, 'signIns', 7)).toBe(1);
    });
  });

  describe('counts that are over', () => {
    it('are deleted, and current ones stay', async (opened) => {
      const { stores, shop, clock } = opened;
      const hour = clock.now();
      await stores.mailCounts.take(shop.orgId, hour, 1);
      await stores.throttles.count('a', DAY, hour);
      expect([await prune(opened, 'mailCounts', 1), await prune(opened, 'throttles', 0)]).toEqual([0, 0]);
      clock.advance(DAY + 1);
      await stores.throttles.count('b', DAY, clock.now());
      expect(await stores.mailCounts.take(shop.orgId, clock.now(), 1)).toBe(true);
      expect(await stores.mailCounts.take(shop.orgId, clock.now(), 1)).toBe(false);
      await prune(opened, 'mailCounts', 1);
      await prune(opened, 'throttles', 0);
      expect(await stores.mailCounts.take(shop.orgId, hour, 1)).toBe(true);
      expect(await stores.mailCounts.take(shop.orgId, clock.now(), 1)).toBe(false);
      expect((await stores.throttles.find('b', clock.now()))?.tries).toBe(1);
    });
  });

  describe('pruning', () => {
    it('removes no more than it was asked to at once', async (opened) => {
      const { stores, clock } = opened;
      for (const key of ['1', '2', '3']) {
        await record(opened, { newCustomer: { name: 'Bo', email: `${key}@example.com` } }, key);
      }
      clock.advance(1);
      const counts: number[] = [];
      for (const _ of [1, 2, 3])
        counts.push(await stores.maintenance.prune('idempotencyKeys', clock.now(), 2));
      expect(counts).toEqual([2, 1, 0]);
    });
  });
}

function prune({ clock, stores }: OpenedShop, what: Prunable, keepDays: number): Promise<number> {
  return pruneOld({ clock, maintenance: stores.maintenance }, what, keepDays);
}

async function openEntry({ stores, shop }: OpenedShop, id: string): Promise<OpenedLogEntry> {
  const entry = await stores.deliveries.open(shop.orgId, id);
  if (!entry) throw new Error('The entry is missing.');
  return entry;
}

/** Records a request with always the same proof, which is refused with another body. */
function use(opened: OpenedShop, body: string) {
  const { shop, clock } = opened;
  const proof: Proof = {
    fingerprint: 'a'.repeat(64),
    bodySha256: (body === 'body' ? 'b' : 'c').repeat(64),
    whenReused: { kind: 'refuse', reason: 'Used before.' },
  };
  const content = { kind: 'translated', entries: [{ kind: 'order', order: makeOrder(shop) }] } as const;
  return recordDeliveries(opened, { ...makeReceived(shop, clock.now(), content), proof }, 'in-background');
}
