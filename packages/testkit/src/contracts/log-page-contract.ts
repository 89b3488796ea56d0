import {
  causeOfError,
  LISTED_LINES,
  type LogQuery,
  type Order,
  recordDeliveries,
  SHARED_PLATFORM,
  setIntegrationSecret,
} from '@handover/domain';
import { completeEmail } from '../complete-emails.ts';
import { makeLine, makeReceived, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { searchPurchases, sellByOrder } from './shop-actions.ts';

/** The queries of the webhook log's page. */
export function logPageContract({ describe, it, expect }: StoresRunner): void {
  describe('the page of the webhook log', () => {
    it('lists all, newest first, a page at a time', async (fresh) => {
      const opened = await openLog(fresh);
      const all = await search(opened, {});
      expect(all.map(({ orderId }) => orderId)).toEqual(['9004', '9003', '9002', '9001']);
      const first = await search(opened, { limit: 3 });
      const rest = await search(opened, { limit: 3, before: first[2]?.id ?? null });
      expect([...first, ...rest]).toEqual(all);
    });

    it('shows the result of each, with the names of connection and products', async (fresh) => {
      const opened = await openLog(fresh);
      const [, , second, first] = await search(opened, {});
      expect(first).toMatchObject({
        orderNumber: '#1001',
        normalizedEmail: 'ana.lima@example.com',
        platform: 'storefront-a',
        connectionName: 'main',
        status: 'pending',
        attempts: 1,
        lineCount: 1,
        lines: [{ position: 0, sku: 'PADS', outcome: 'delivered', productName: 'Pads' }],
      });
      expect(second).toMatchObject({
        status: 'error',
        lines: [{ sku: 'Tape 7', outcome: 'unmatched', productId: null, productName: null }],
      });
    });

    it('finds by how an order number or id, an address or a SKU begins', async (fresh) => {
      const opened = await openLog(fresh);
      const finds: Readonly<Record<string, readonly string[]>> = {
        '#10': ['9002', '9001'],
        '1001': ['9001'],
        '900': ['9004', '9003', '9002', '9001'],
        'fs-': ['9003'],
        ' ANA.lima@ex': ['9001'],
        'lima@': [],
        pads: ['9004', '9003', '9001'],
        'tape 7': ['9002'],
        'APE 7': [],
        '%': [],
        tape_7: [],
        '\\': [],
        nothing: [],
        'pads\0': [],
      };
      for (const [text, orders] of Object.entries(finds)) {
        const found = await search(opened, { text });
        expect([text, ...found.map(({ orderId }) => orderId)]).toEqual([text, ...orders]);
      }
      expect(await search(opened, { text: 'pads', status: 'error' })).toHaveLength(0);
      expect(await search(opened, { text: 'pads', limit: 1 })).toHaveLength(1);
    });

    it('finds an order of Stripe by the end of its id, as every other search does', async (opened) => {
      const shared = { platform: SHARED_PLATFORM, orderId: 'cs_live_a1B2c3D4', orderNumber: 'pi_77' };
      await receive(opened, shared);
      await receive(opened, { orderId: 'fs_a1b2c3d4', orderNumber: '#1001' });
      const finds = { b2C3d4: ['cs_live_a1B2c3D4'], b2C3: [], c3D4: [] };
      for (const [text, orders] of Object.entries(finds)) {
        const found = await search(opened, { text });
        expect([text, ...found.map(({ orderId }) => orderId)]).toEqual([text, ...orders]);
      }
    });

    it('narrows to a status and a connection, and counts', async (fresh) => {
      const opened = await openLog(fresh);
      const { stores, shop } = opened;
      const sources = await stores.deliveries.listSources(shop.orgId);
      expect(sources.map(({ platform, name }) => `${platform} ${name}`)).toEqual([
        'storefront-a main',
        'storefront-a second',
      ]);
      const second = sources[1]?.connectionId ?? '';
      const ids = async (query: Partial<LogQuery>) =>
        (await search(opened, query)).map(({ orderId }) => orderId);
      expect(await ids({ connectionId: second })).toEqual(['9004']);
      expect(await ids({ connectionId: second, status: 'error' })).toEqual([]);
      expect(await ids({ connectionId: second, text: '900' })).toEqual(['9004']);
      expect(await ids({ status: 'error' })).toEqual(['9002']);
      expect(await ids({ connectionId: 'nonsense' })).toEqual([]);
      const none = { pending: 0, success: 0, error: 0, held: 0, ignored: 0 };
      expect(await stores.deliveries.count(shop.orgId, null)).toEqual({ ...none, pending: 3, error: 1 });
      expect(await stores.deliveries.count(shop.orgId, second)).toEqual({ ...none, pending: 1 });
      expect(await stores.deliveries.count(shop.orgId, 'nonsense')).toEqual(none);
    });

    it('narrows errors to their cause', async (opened) => {
      const nobody = { customer: { email: null, name: null } };
      const { deliveryId } = await sellByOrder(opened, { ...nobody, orderId: '1' });
      await sellByOrder(opened, { ...nobody, orderId: '2' });
      await sellByOrder(opened, { orderId: '3', lines: [makeLine('tape')] });
      const entries = [{ kind: 'error', orderId: '4', reason: 'It came without its lines.' }] as const;
      const received = makeReceived(opened.shop, opened.clock.now(), { kind: 'translated', entries });
      await recordDeliveries(opened, received, 'in-request');
      const ids = async (query: Partial<LogQuery>) =>
        (await search(opened, query)).map(({ orderId }) => orderId);
      expect(await ids({ cause: 'no-address' })).toEqual(['2', '1']);
      expect(await ids({ cause: 'no-address', status: 'error', text: '1001' })).toEqual(['2', '1']);
      expect(await ids({ cause: 'no-address', status: 'held' })).toEqual([]);
      expect(await ids({ cause: 'unreadable', connectionId: opened.shop.connection.id })).toEqual(['4']);
      expect((await search(opened, {})).map(causeOfError)).toEqual([
        'unreadable',
        null,
        'no-address',
        'no-address',
      ]);
      await opened.stores.deliveries.addAddress(opened.shop.orgId, deliveryId, 'eva@example.com');
      expect(await ids({ cause: 'no-address' })).toEqual(['2']);
    });

    it('opens one with the mail it waits for, in the mail server’s own words', async (fresh) => {
      const opened = await openLog(fresh);
      const { stores, shop, clock } = opened;
      const [entry] = await search(opened, { text: '1001' });
      const id = entry?.id ?? '';
      const opened1 = await stores.deliveries.open(shop.orgId, id);
      expect(opened1).toMatchObject({
        ...entry,
        receipts: [{ status: 'pending', attempts: 0, lastAnswer: null }],
      });
      const [mailing] = (await searchPurchases(opened, { text: '1001' })).map((row) => row.id);
      const receiptId = (await stores.mailings.find(shop.orgId, mailing ?? ''))?.receipt?.id ?? '';
      const nextTryAt = new Date(clock.now().getTime() + 60_000);
      const answer = '451 4.3.0 Try again later';
      await completeEmail(stores, shop.orgId, receiptId, clock.now(), {
        kind: 'try-again',
        at: clock.now(),
        answer,
        reason: 'The mail server is busy.',
        nextTryAt,
      });
      expect(await stores.deliveries.open(shop.orgId, id)).toMatchObject({
        reason: 'The mail server is busy.',
        receipts: [{ status: 'pending', attempts: 1, lastAnswer: answer, nextTryAt }],
      });
      await completeEmail(stores, shop.orgId, receiptId, nextTryAt, {
        kind: 'sent',
        at: clock.now(),
        answer: '250 OK',
      });
      expect(await stores.deliveries.open(shop.orgId, id)).toMatchObject({ status: 'success', receipts: [] });
    });

    it('lists only the first lines of a long order, and says how many there are', async (opened) => {
      const lines = Array.from({ length: LISTED_LINES + 5 }, (_, at) => makeLine(`SKU-${at}`));
      await receive(opened, { lines });
      const [entry] = await search(opened, { text: 'sku-24' });
      expect([entry?.lines.length, entry?.lineCount]).toEqual([LISTED_LINES, LISTED_LINES + 5]);
      const whole = await opened.stores.deliveries.open(opened.shop.orgId, entry?.id ?? '');
      expect(whole?.lines).toHaveLength(LISTED_LINES + 5);
    });

    it('flags an entry with an unmatched line, whatever its status and however far back the line is', async (opened) => {
      const unmatched = makeLine('TAPE-7');
      const delivered = Array.from({ length: LISTED_LINES }, () => makeLine('PADS'));
      await receive(opened, { orderId: '1', lines: [unmatched] });
      await receive(opened, { orderId: '2', lines: [...delivered, unmatched] });
      await receive(opened, { orderId: '3', lines: [makeLine('PADS')] });
      const entries = await search(opened, {});
      expect(entries.map(({ status, hasUnmatched }) => [status, hasUnmatched])).toEqual([
        ['pending', false],
        ['pending', true],
        ['error', true],
      ]);
      const { deliveries } = opened.stores;
      for (const { id, hasUnmatched } of entries) {
        expect(await deliveries.open(opened.shop.orgId, id)).toMatchObject({ hasUnmatched });
      }
    });

    it('sees nothing of another organisation', async (fresh) => {
      const opened = await openLog(fresh);
      const other = await openShop(opened, 'Other');
      const [entry] = await search(opened, {});
      const { deliveries } = opened.stores;
      for (const text of ['', '900', 'ana', 'pads']) {
        expect(await search({ ...opened, shop: other }, { text })).toEqual([]);
      }
      const connectionId = opened.shop.connection.id;
      expect(await search({ ...opened, shop: other }, { connectionId })).toEqual([]);
      expect(await deliveries.open(other.orgId, entry?.id ?? '')).toBe(null);
      expect(await deliveries.open(other.orgId, 'nonsense')).toBe(null);
      expect((await deliveries.count(other.orgId, connectionId)).pending).toBe(0);
      expect((await deliveries.listSources(other.orgId)).map(({ name }) => name)).toEqual(['main']);
    });
  });
}

async function openLog(opened: OpenedShop): Promise<OpenedShop> {
  const { stores, shop, clock } = opened;
  await setIntegrationSecret(opened, {
    orgId: shop.orgId,
    platform: 'storefront-a',
    name: 'second',
    secret: 'another-secret',
  });
  const connections = await stores.connections.list(shop.orgId, 'storefront-a', clock.now());
  const second = connections?.find(({ name }) => name === 'second')?.id ?? '';
  const lines = [makeLine('Tape 7')];
  await receive(opened, { orderId: '9001', orderNumber: '#1001', customer: buyer('Ana.Lima@example.com') });
  await receive(opened, { orderId: '9002', orderNumber: '#1002', customer: buyer('oa@example.com'), lines });
  await receive(opened, { orderId: '9003', orderNumber: 'FS-7', customer: buyer('jo@example.org') });
  await receive(opened, {
    orderId: '9004',
    connectionId: second,
    orderNumber: '2',
    customer: buyer('x@y.z'),
  });
  return opened;
}

function buyer(email: string) {
  return { name: null, email };
}

async function receive(opened: OpenedShop, changes: Partial<Order>): Promise<void> {
  opened.clock.advance(1000);
  await sellByOrder(opened, changes);
}

function search({ stores, shop }: Pick<OpenedShop, 'stores' | 'shop'>, query: Partial<LogQuery>) {
  const all = { text: '', status: null, connectionId: null, before: null };
  return stores.deliveries.search(shop.orgId, { ...all, limit: 50, ...query });
}
