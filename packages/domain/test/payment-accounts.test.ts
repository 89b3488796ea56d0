import type { TenantRef, TranslatedEntry } from '@handover/domain';
import {
  findDestination,
  mapAccount,
  recordUnassigned,
  runUnassigned,
  SHARED_PLATFORM,
  setIntegrationSecret,
} from '@handover/domain';
import { makeOrder, openShop } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

const ACCOUNT: TenantRef = { kind: 'account', account: 'acct_1' };
const NOBODY: TenantRef = { kind: 'nobody', reason: 'The event names nobody.' };
const IGNORED: TranslatedEntry = { kind: 'ignored', orderId: null, reason: 'A refund.' };

async function open() {
  const ports = await openShopInMemory();
  const { shop, stores } = ports;
  const named: TenantRef = { kind: 'organisation', orgId: shop.orgId };
  const order = { kind: 'order', order: makeOrder(shop, { platform: SHARED_PLATFORM }) } as const;
  const map = (account: string, orgId = shop.orgId) => mapAccount(ports, { orgId, account });
  const receive = (tenantRef: TenantRef, entries: readonly TranslatedEntry[] = [order]) =>
    recordUnassigned(ports, {
      tenantRef,
      reason: 'It belongs to nobody.',
      receivedAt: ports.clock.now(),
      body: { bytes: new Uint8Array([1]), headers: {} },
      entries,
    });
  return { ports, stores, shop, named, map, receive };
}

describe('an event of the shared platform', () => {
  it('is of the organisation that its account is mapped to, in the connection of that account', async () => {
    const { ports, shop, map } = await open();
    await map('acct_1');
    const found = await findDestination(ports, ACCOUNT);
    const [connection] = (await ports.connections.list(shop.orgId, SHARED_PLATFORM, ports.clock.now())) ?? [];
    expect(connection?.name).toBe('acct_1');
    expect(found).toEqual({ kind: 'found', orgId: shop.orgId, connectionId: connection?.id });
  });

  it('is of the organisation that it names, in the one connection for such events', async () => {
    const { ports, shop, named } = await open();
    const found = await findDestination(ports, named);
    expect(await findDestination(ports, named)).toEqual(found);
    const connections = await ports.connections.list(shop.orgId, SHARED_PLATFORM, ports.clock.now());
    expect(connections?.map(({ name }) => name)).toEqual(['metadata']);
    expect(found).toMatchObject({ kind: 'found', orgId: shop.orgId });
  });

  it.each<[string, TenantRef, RegExp]>([
    ['an account that nobody mapped', ACCOUNT, /^The account acct_1 is mapped to no organisation\.$/],
    [
      'an organisation that does not exist',
      { kind: 'organisation', orgId: 'org_7' },
      /“org_7”, which does not exist\.$/,
    ],
    ['nobody', NOBODY, /^The event names nobody\.$/],
  ])('is unassigned when it is for %s, and says why', async (_, tenantRef, reason) => {
    const { ports } = await open();
    const found = await findDestination(ports, tenantRef);
    expect(found).toEqual({ kind: 'unassigned', reason: expect.stringMatching(reason) });
  });
});

it('says why an event is unassigned in at most a hundred characters of what it names', async () => {
  const { ports } = await open();
  const long = 'x'.repeat(101);
  expect(await findDestination(ports, { kind: 'account', account: long })).toEqual({
    kind: 'unassigned',
    reason: `The account ${'x'.repeat(100)} is mapped to no organisation.`,
  });
  expect(await findDestination(ports, { kind: 'organisation', orgId: long })).toEqual({
    kind: 'unassigned',
    reason: `The event names the organisation “${'x'.repeat(100)}”, which does not exist.`,
  });
});

describe('what belongs to nobody', () => {
  it('is kept where it announces an order, and waits for the operator', async () => {
    const { stores, receive } = await open();
    const [waiting, ...more] = await receive(ACCOUNT);
    expect(more).toEqual([]);
    expect(waiting).toMatchObject({ orderId: '5001', status: 'held' });
    expect(waiting?.reason).toMatch(/waits for the service’s operator/);
    expect(await stores.unassigned.list({ after: null, limit: 9 })).toEqual([
      expect.objectContaining({ id: waiting?.id, account: 'acct_1', orgHint: null }),
    ]);
  });

  it('is an entry of the organisation’s log, as it came, once its account is mapped', async () => {
    const { ports, stores, shop, map, receive } = await open();
    const [waiting] = await receive(ACCOUNT);
    expect(waiting?.reason).toBe('It belongs to nobody. It waits for the service’s operator.');
    const receivedAt = ports.clock.now();
    ports.clock.advance(1000);
    await map('acct_1');
    const [entry] = await stores.deliveries.list(shop.orgId, {
      status: null,
      platform: null,
      before: null,
      limit: 9,
    });
    expect(entry).toMatchObject({
      id: waiting?.id,
      platform: SHARED_PLATFORM,
      orderId: '5001',
      orderNumber: '#1001',
      normalizedEmail: 'ana@example.com',
      receivedAt,
      status: 'pending',
      reason: null,
      note: null,
      lines: [],
    });
    const { connectionId } = await findDestination(ports, ACCOUNT).then((found) =>
      found.kind === 'found' ? found : { connectionId: null },
    );
    expect(entry?.connectionId).toBe(connectionId);
    expect(await stores.queuedJobs()).toEqual([
      {
        kind: 'fulfil-delivery',
        orgId: shop.orgId,
        deliveryId: waiting?.id,
        attempts: 0,
        startAfter: ports.clock.now(),
      },
    ]);
  });

  it('that names an organisation which exists by now is run with all others', async () => {
    const { ports, stores, shop, receive } = await open();
    const waitFor = (tenantRef: TenantRef) =>
      stores.unassigned.record(
        [
          {
            id: ports.ids.next(),
            account: null,
            orgHint: tenantRef.kind === 'organisation' ? tenantRef.orgId : null,
            orderId: '5001',
            problem: null,
            orderNumber: '#1001',
            normalizedEmail: null,
            reason: 'It did not exist.',
            receivedAt: ports.clock.now(),
          },
        ],
        { bytes: new Uint8Array([1]), headers: {} },
      );
    await waitFor({ kind: 'organisation', orgId: shop.orgId });
    await receive(ACCOUNT);
    expect(await runUnassigned(ports, 'acct_1')).toBe(0);
    expect(await runUnassigned(ports)).toBe(1);
    const assigned = { ...stores.unassigned, assign: async () => 'gone' as const };
    await waitFor({ kind: 'organisation', orgId: shop.orgId });
    expect(await runUnassigned({ ...ports, unassigned: assigned })).toBe(0);
    const nowhere = { ...ports.connections, findOrAdd: async () => null };
    expect(await runUnassigned({ ...ports, connections: nowhere })).toBe(0);
    expect(await stores.unassigned.count()).toBe(2);
  });

  it('is kept once, however often it is sent', async () => {
    const { stores, receive } = await open();
    const [first] = await receive(ACCOUNT);
    expect(await receive(ACCOUNT)).toEqual([first]);
    expect(await stores.unassigned.count()).toBe(1);
  });

  it('is kept as an error where nothing can be made of it, with what to do', async () => {
    const { stores, shop, map, receive } = await open();
    const thin: TranslatedEntry = { kind: 'error', orderId: 'cs_1', reason: 'Choose snapshot payloads.' };
    const [waiting] = await receive(ACCOUNT, [thin]);
    expect(waiting).toMatchObject({ orderId: 'cs_1', status: 'error', reason: 'Choose snapshot payloads.' });
    expect(await stores.unassigned.list({ after: null, limit: 9 })).toMatchObject([
      { id: waiting?.id, problem: 'Choose snapshot payloads.', reason: 'It belongs to nobody.' },
    ]);
    await map('acct_1');
    expect((await stores.deliveries.find(shop.orgId, waiting?.id ?? ''))?.status).toBe('error');
    expect(await receive(NOBODY, [{ ...thin, orderId: null }])).toEqual([]);
  });

  it('is not kept where it announces none', async () => {
    const { stores, receive } = await open();
    expect(await receive(NOBODY, [IGNORED])).toEqual([]);
    expect(await receive(NOBODY, [])).toEqual([]);
    expect(await receive(ACCOUNT, [{ ...IGNORED, orderId: 'cs_1' }])).toEqual([]);
    expect(await stores.unassigned.count()).toBe(0);
  });

  it('makes no connection where it announces none, though it names an organisation', async () => {
    const { ports, shop, named, receive } = await open();
    expect(await receive(named, [IGNORED])).toEqual([]);
    expect(await ports.connections.list(shop.orgId, SHARED_PLATFORM, ports.clock.now())).toEqual([]);
  });

  it('is not left waiting when its account is mapped at the very moment it is recorded', async () => {
    const { ports, stores, shop, map, receive } = await open();
    expect((await findDestination(ports, ACCOUNT)).kind).toBe('unassigned');
    expect(await map('acct_1')).toMatchObject({ kind: 'mapped', assigned: 0 });
    const [delivery] = await receive(ACCOUNT);
    expect(delivery).toMatchObject({ status: 'pending', reason: null });
    expect(await stores.unassigned.count()).toBe(0);
    expect((await stores.deliveries.find(shop.orgId, delivery?.id ?? ''))?.status).toBe('pending');
    expect(await stores.queuedJobs()).toHaveLength(1);
  });

  it('keeps hints of any length, short enough for an index', async () => {
    const { stores, receive } = await open();
    await receive({ kind: 'account', account: `acct_${'x'.repeat(5000)}` });
    await receive({ kind: 'organisation', orgId: 'y'.repeat(5000) });
    const kept = await stores.unassigned.list({ after: null, limit: 9 });
    expect(kept.map(({ account, orgHint }) => (account ?? orgHint)?.length)).toEqual([200, 200]);
  });
});

describe('an account', () => {
  it('that is mapped runs what waited for it, and nothing else', async () => {
    const { ports, stores, shop, map, receive } = await open();
    await receive(ACCOUNT);
    await receive({ kind: 'account', account: 'acct_2' });
    expect(await map(' acct_1 ')).toEqual({ kind: 'mapped', account: 'acct_1', assigned: 1 });
    expect(await stores.unassigned.count()).toBe(1);
    expect(await map('acct_1')).toEqual({ kind: 'already-yours', account: 'acct_1', assigned: 0 });
    const all = { status: null, platform: null, before: null, limit: 9 };
    expect(await stores.deliveries.list(shop.orgId, all)).toHaveLength(1);
    expect(await runUnassigned(ports)).toBe(0);
  });

  it('of one organisation is not given to another', async () => {
    const { ports, shop, map, receive } = await open();
    const other = await openShop(ports, 'Other');
    await map('acct_1');
    await receive({ kind: 'account', account: 'acct_2' });
    expect(await map('acct_1', other.orgId)).toEqual({ kind: 'taken', orgId: shop.orgId });
    expect(await map('acct_2', 'nobody')).toEqual({ kind: 'unknown-organisation' });
  });

  it.each(['', 'acct_', 'metadata', 'acct_1 2', 'acct_\n1', `acct_${'x'.repeat(101)}`, 'ACCT_1', 'cus_1'])(
    'is none that looks like %j',
    async (account) => {
      const { map } = await open();
      const { kind, ...told } = await map(account);
      expect([kind, told]).toEqual([
        'invalid',
        { field: 'account', problem: expect.stringMatching(/acct_/) },
      ]);
    },
  );
});

it('the shared platform has no secret of an organisation’s own', async () => {
  const { ports, shop } = await open();
  const secret = { orgId: shop.orgId, platform: SHARED_PLATFORM, name: 'main', secret: 'whsec_mine' };
  expect(await setIntegrationSecret(ports, secret)).toMatchObject({ kind: 'invalid', field: 'platform' });
  expect(await ports.connections.list(shop.orgId, SHARED_PLATFORM, ports.clock.now())).toEqual([]);
});
