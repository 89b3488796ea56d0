import {
  DEFAULT_RULES,
  fulfilDelivery,
  mapAccount,
  runUnassigned,
  SHARED_PLATFORM,
  type UnassignedDelivery,
} from '@handover/domain';
import { makeOrder, openShop } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';

/** The accounts of the shared platform, and deliveries without an organisation. */
export function unassignedContract({ describe, it, expect }: StoresRunner): void {
  describe('connections without secrets of their own', () => {
    it('are added when they are first needed, and then found', async (opened) => {
      const { shop } = opened;
      const first = await findOrAdd(opened, 'acct_1');
      expect(first?.orgId).toBe(shop.orgId);
      expect(await findOrAdd(opened, 'acct_1')).toEqual(first);
      const other = await findOrAdd(opened, 'acct_2');
      expect(other?.connectionId === first?.connectionId).toBe(false);
      const list = await opened.stores.connections.list(shop.orgId, SHARED_PLATFORM, opened.clock.now());
      expect(list).toEqual([
        { id: first?.connectionId, name: 'acct_1', secrets: [], rules: DEFAULT_RULES },
        { id: other?.connectionId, name: 'acct_2', secrets: [], rules: DEFAULT_RULES },
      ]);
    });

    it('are one, however many need them first at once', async (opened) => {
      const found = await Promise.all(Array.from({ length: 8 }, () => findOrAdd(opened, 'metadata')));
      expect(new Set(found.map((destination) => destination?.connectionId)).size).toBe(1);
    });

    it('are not added to an organisation that does not exist', async (opened) => {
      expect(await findOrAdd(opened, 'metadata', opened.ids.next())).toBe(null);
      expect(await findOrAdd(opened, 'metadata', "'; drop table connections")).toBe(null);
    });
  });

  describe('accounts', () => {
    it('belong to one organisation, which has a connection named after each', async (opened) => {
      const { stores, shop } = opened;
      expect(await stores.accounts.find('acct_1')).toBe(null);
      expect(await map(opened, 'acct_1', shop.orgId)).toEqual({ kind: 'mapped' });
      const destination = await findOrAdd(opened, 'acct_1');
      expect(await stores.accounts.find('acct_1')).toEqual(destination);
      expect(await map(opened, 'acct_1', shop.orgId)).toEqual({ kind: 'already-yours' });
      expect(await stores.accounts.find('acct_1')).toEqual(destination);
      expect(await stores.accounts.find('ACCT_1')).toBe(null);
    });

    it('stay with the organisation that they are mapped to, and leave nothing in another', async (opened) => {
      const { stores, shop, clock } = opened;
      const other = await openShop(opened, 'Other');
      await map(opened, 'acct_1', shop.orgId);
      expect(await map(opened, 'acct_1', other.orgId)).toEqual({ kind: 'taken', orgId: shop.orgId });
      expect((await stores.accounts.find('acct_1'))?.orgId).toBe(shop.orgId);
      expect(await stores.connections.list(other.orgId, SHARED_PLATFORM, clock.now())).toEqual([]);
    });

    it('belong to one organisation, though several ask for one at once', async (opened) => {
      const shops = [opened.shop, await openShop(opened, 'Other'), await openShop(opened, 'Third')];
      const outcomes = await Promise.all(shops.map(({ orgId }) => map(opened, 'acct_1', orgId)));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['mapped', 'taken', 'taken']);
    });

    it('belong to nobody once they are unmapped, and use their connection again when they are mapped again', async (opened) => {
      const { stores, shop, clock } = opened;
      const other = await openShop(opened, 'Other');
      await map(opened, 'acct_1', shop.orgId);
      await map(opened, 'acct_2', shop.orgId);
      const destination = await stores.accounts.find('acct_1');
      expect(await stores.accounts.unmap('acct_1')).toEqual(destination);
      expect(await stores.accounts.unmap('acct_1')).toBe(null);
      expect(await stores.accounts.find('acct_1')).toBe(null);
      expect((await stores.accounts.find('acct_2'))?.orgId).toBe(shop.orgId);
      const names = await stores.connections.list(shop.orgId, SHARED_PLATFORM, clock.now());
      expect(names?.map(({ name }) => name)).toEqual(['acct_1', 'acct_2']);
      const waiting = await keep(opened);
      expect(await collect(stores.unassigned.listAssignable(null))).toEqual([]);
      expect(await map(opened, 'acct_1', other.orgId)).toEqual({ kind: 'mapped' });
      expect(await collect(stores.unassigned.listAssignable(null))).toMatchObject([
        { id: waiting.id, orgId: other.orgId },
      ]);
      await stores.accounts.unmap('acct_1');
      await map(opened, 'acct_1', shop.orgId);
      expect(await stores.accounts.find('acct_1')).toEqual(destination);
    });

    it('belong to nobody when the organisation does not exist', async (opened) => {
      const unknown = { kind: 'unknown-organisation' };
      expect(await map(opened, 'acct_1', opened.ids.next())).toEqual(unknown);
      expect(await map(opened, 'acct_1', 'nonsense')).toEqual(unknown);
      expect(await opened.stores.accounts.find('acct_1')).toBe(null);
    });
  });

  describe('unassigned deliveries', () => {
    it('are listed oldest first, a page at a time', async (opened) => {
      const { unassigned } = opened.stores;
      const kept = [
        await keep(opened),
        await keep(opened, { account: null, orgHint: 'nobody' }),
        await keep(opened),
      ];
      expect(await unassigned.list({ after: null, limit: 10 })).toEqual(kept);
      expect(await unassigned.list({ after: null, limit: 2 })).toEqual(kept.slice(0, 2));
      expect(await unassigned.list({ after: kept[0]?.id ?? '', limit: 2 })).toEqual(kept.slice(1));
      expect(await unassigned.list({ after: 'nonsense', limit: 2 })).toEqual([]);
      expect(await unassigned.count()).toBe(3);
    });

    it('are one entry for each order, however often and at once it is sent', async (opened) => {
      const { unassigned } = opened.stores;
      const record = (changes: Partial<UnassignedDelivery>) =>
        unassigned.record([makeWaiting(opened, { orderId: 'cs_1', ...changes })], BODY);
      const stored = await Promise.all(Array.from({ length: 8 }, () => record({})));
      expect(new Set(stored.flat()).size).toBe(1);
      const [first] = await unassigned.list({ after: null, limit: 10 });
      expect(stored[0]).toEqual([first?.id]);
      expect(await record({ reason: 'Another.' })).toEqual([first?.id]);
      expect(await unassigned.list({ after: null, limit: 10 })).toEqual([first]);
      const others = [
        { account: 'acct_2' },
        { account: null },
        { account: null, orgHint: 'nobody' },
        { orderId: 'cs_2' },
        { problem: 'Choose snapshot payloads.' },
      ];
      for (const changes of others) {
        const [id] = await record(changes);
        expect(await record(changes)).toEqual([id]);
      }
      expect(await unassigned.count()).toBe(1 + others.length);
    });

    it('that cannot be read become errors of the log, without a job', async (opened) => {
      const { stores, shop } = opened;
      const waiting = await keep(opened, { problem: 'Choose snapshot payloads.' });
      await map(opened, 'acct_1', shop.orgId);
      expect(await runUnassigned(opened)).toBe(1);
      expect(await stores.deliveries.find(shop.orgId, waiting.id)).toMatchObject({
        orderId: waiting.orderId,
        status: 'error',
        reason: 'Choose snapshot payloads.',
      });
      expect(await opened.queuedJobs()).toEqual([]);
    });

    it('can be assigned once their account is mapped, or their organisation exists', async (opened) => {
      const { stores, shop, ids } = opened;
      const one = await keep(opened);
      const two = await keep(opened, { account: 'acct_2' });
      const named = await keep(opened, { account: null, orgHint: shop.orgId });
      await keep(opened, { account: null, orgHint: ids.next() });
      await keep(opened, { account: null, orgHint: 'nonsense' });
      await keep(opened, { account: null });
      const assignable = (account: string | null) => collect(stores.unassigned.listAssignable(account));
      const byName = { id: named.id, orgId: shop.orgId, account: null };
      expect(await assignable(null)).toEqual([byName]);
      await map(opened, 'acct_1', shop.orgId);
      await map(opened, 'acct_2', shop.orgId);
      const byAccount = ({ id, account }: UnassignedDelivery) => ({ id, orgId: shop.orgId, account });
      expect(await assignable(null)).toEqual([byAccount(one), byAccount(two), byName]);
      expect(await assignable('acct_2')).toEqual([byAccount(two)]);
    });

    it('move into the log byte for byte, with their id and a job', async (opened) => {
      const { stores, clock } = opened;
      const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x00, 0xff, 0x7d, 0x0a]);
      const waiting = await keep(opened, {}, bytes);
      clock.advance(60_000);
      const destination = await findOrAdd(opened, 'acct_1');
      if (!destination) throw new Error('The connection was not added.');
      const { orgId, connectionId } = destination;
      expect(await stores.unassigned.assign(waiting.id, destination, clock.now())).toBe('assigned');
      const found = await stores.deliveries.find(orgId, waiting.id);
      const body = found?.body && { ...found.body, bytes: [...found.body.bytes] };
      expect(found && { ...found, body }).toEqual({
        id: waiting.id,
        orgId,
        platform: SHARED_PLATFORM,
        connectionId,
        bodyId: waiting.id,
        orderId: waiting.orderId,
        orderNumber: waiting.orderNumber,
        normalizedEmail: 'ana@example.com',
        receivedAt: waiting.receivedAt,
        status: 'pending',
        reason: null,
        note: null,
        attempts: 0,
        body: { id: waiting.id, bytes: [...bytes], headers: { 'x-kept': 'yes' } },
      });
      expect(await opened.queuedJobs()).toEqual([
        { kind: 'fulfil-delivery', orgId, deliveryId: waiting.id, attempts: 0, startAfter: clock.now() },
      ]);
      expect(await stores.unassigned.count()).toBe(0);
      expect(await stores.unassigned.assign(waiting.id, destination, clock.now())).toBe('gone');
      expect(await stores.unassigned.assign('nonsense', destination, clock.now())).toBe('gone');
    });

    it('move once, though they are run several times at once', async (opened) => {
      const { stores, shop } = opened;
      await map(opened, 'acct_1', shop.orgId);
      for (let count = 0; count < 12; count += 1) await keep(opened);
      const moved = await Promise.all(Array.from({ length: 4 }, () => runUnassigned(opened)));
      expect(moved.reduce((sum, count) => sum + count)).toBe(12);
      expect(await opened.queuedJobs()).toHaveLength(12);
      expect(await stores.unassigned.count()).toBe(0);
    });

    it('are fulfilled by the job that they move with', async (opened) => {
      const { stores, shop } = opened;
      const waiting = await keep(opened);
      const mapped = await mapAccount(opened, { orgId: shop.orgId, account: 'acct_1' });
      expect(mapped).toEqual({ kind: 'mapped', account: 'acct_1', assigned: 1 });
      const [job] = await opened.queuedJobs();
      if (job?.kind !== 'fulfil-delivery') throw new Error('The delivery has no job.');
      const orders = {
        read: ({ connectionId }: { readonly connectionId: string }) =>
          makeOrder(shop, { platform: SHARED_PLATFORM, connectionId, orderId: waiting.orderId }),
      };
      await fulfilDelivery({ ...opened, ...stores, orders }, job);
      const purchases = await collect(stores.purchases.list(shop.orgId));
      expect(purchases.map(({ source, orderId }) => [source, orderId])).toEqual([
        [SHARED_PLATFORM, waiting.orderId],
      ]);
    });
  });
}

function findOrAdd({ stores, shop, ids, clock }: OpenedShop, name: string, orgId = shop.orgId) {
  const now = clock.now();
  return stores.connections.findOrAdd({
    orgId,
    platform: SHARED_PLATFORM,
    name,
    connectionId: ids.next(),
    now,
  });
}

function map({ stores, ids, clock }: OpenedShop, account: string, orgId: string) {
  return stores.accounts.map({ account, orgId, connectionId: ids.next(), now: clock.now() });
}

async function keep(
  opened: OpenedShop,
  changes: Partial<UnassignedDelivery> = {},
  bytes: Uint8Array = BODY.bytes,
): Promise<UnassignedDelivery> {
  const delivery = makeWaiting(opened, changes);
  await opened.stores.unassigned.record([delivery], { ...BODY, bytes });
  return delivery;
}

const BODY = { bytes: new Uint8Array([123, 125]), headers: { 'x-kept': 'yes' } };

function makeWaiting(
  { ids, clock }: OpenedShop,
  changes: Partial<UnassignedDelivery> = {},
): UnassignedDelivery {
  const id = ids.next();
  return {
    id,
    account: 'acct_1',
    orgHint: null,
    orderId: `cs_${id}`,
    orderNumber: `cs_${id}`,
    problem: null,
    normalizedEmail: 'ana@example.com',
    reason: 'The account acct_1 is mapped to no organisation.',
    receivedAt: clock.now(),
    ...changes,
  };
}
