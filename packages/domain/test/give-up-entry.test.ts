import { fulfilDelivery, fulfilOrder, runJob } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import {
  giveUpEntry,
  isWorthAnotherTry,
  MAX_UNREADABLE_MS,
  UNREADABLE_YET,
} from '../src/fulfilment/give-up-entry.ts';
import type { DeliveryLine, StoredDelivery } from '../src/model/delivery.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

const NOW = new Date('2026-03-05T09:00:00.000Z');
const UNREADABLE =
  'No order can be read out of the stored request any more. Have the shop send it again, or record the sale yourself.';
const REMOVED =
  'The stored request was removed, so its order cannot be read again. Have the shop send it again, or record the sale yourself.';

const ENTRY: StoredDelivery = {
  id: 'entry',
  orgId: 'org',
  platform: 'storefront-a',
  connectionId: 'connection',
  bodyId: 'body',
  orderId: '5001',
  orderNumber: '#1001',
  normalizedEmail: 'ana@example.com',
  receivedAt: NOW,
  status: 'held',
  reason: 'A product is a draft.',
  note: 'Test order.',
  body: { id: 'body', bytes: new Uint8Array(), headers: {} },
  attempts: 3,
};

function line(outcome: DeliveryLine['outcome'], purchaseId: string | null = null): DeliveryLine {
  return { position: 0, sku: 'PADS', candidate: 'sku', outcome, reason: null, productId: null, purchaseId };
}

describe('an entry that is given up', () => {
  it('changes nothing but itself, and people are told of its order', () => {
    expect(giveUpEntry(ENTRY, [line('held')], NOW)).toEqual({
      orgId: 'org',
      delivery: {
        id: 'entry',
        status: 'error',
        heldFor: null,
        reason: UNREADABLE,
        note: null,
        lines: [],
        decidedAt: NOW,
      },
      customer: null,
      receipt: null,
      purchases: [],
      links: [],
      purchaseAliases: [],
      resend: [],
      activity: [],
      resolves: null,
      alert: {
        orgId: 'org',
        cause: 'not-delivered',
        about: 'order connection 5001',
        subjectId: 'entry',
        details: {
          deliveryId: 'entry',
          platform: 'storefront-a',
          orderNumber: '#1001',
          customerEmail: 'ana@example.com',
          reason: UNREADABLE,
          at: NOW,
        },
      },
      jobs: [],
      expectedVersions: { catalogueRevision: null, bought: null, receipts: [], attempts: 3 },
    });
  });

  it('says so where its request was removed', () => {
    const plan = giveUpEntry({ ...ENTRY, body: null }, [], NOW);
    expect(plan).toMatchObject({ delivery: { reason: REMOVED }, alert: { details: { reason: REMOVED } } });
  });

  it('is what people are told of where it names no order', () => {
    const plan = giveUpEntry({ ...ENTRY, orderId: null }, [], NOW);
    expect(plan.alert?.about).toBe('delivery entry');
  });

  it.each([
    ['held', 'products'],
    ['success', null],
  ] as const)('stays as it is where it was sold: %s', (status, heldFor) => {
    const lines = [line('delivered', 'purchase'), line('held')];
    const { delivery, alert } = giveUpEntry({ ...ENTRY, status }, lines, NOW);
    const { id, reason } = ENTRY;
    expect(delivery).toEqual({ id, status, heldFor, reason, note: UNREADABLE, lines, decidedAt: NOW });
    expect(alert).toBeNull();
  });
});

describe('an entry that this process cannot read', () => {
  const after = (milliseconds: number) => new Date(ENTRY.receivedAt.getTime() + milliseconds);

  it('is worth another try for a day after it was received, and not for ever', () => {
    expect(MAX_UNREADABLE_MS).toBe(24 * 60 * 60 * 1000);
    expect(isWorthAnotherTry(ENTRY, after(0))).toBe(true);
    expect(isWorthAnotherTry(ENTRY, after(MAX_UNREADABLE_MS - 1))).toBe(true);
    expect(isWorthAnotherTry(ENTRY, after(MAX_UNREADABLE_MS))).toBe(false);
  });

  it('says in its reason what may be the matter, and what helps', () => {
    expect(UNREADABLE_YET).toBe(
      'The process that tried this order cannot read it; it may run another version of Handover. Bring all processes to the same version. It is tried again automatically until a day after it was received.',
    );
  });

  it('is not worth one once its body is gone: nothing can ever read it', () => {
    expect(isWorthAnotherTry({ ...ENTRY, body: null }, after(0))).toBe(false);
  });

  it.each(['fulfil-delivery', 'resolve-delivery'] as const)(
    'has its job (%s) done again later, and done once it is given up',
    async (kind) => {
      const ports = await openShopInMemory();
      const { stores, shop, clock } = ports;
      const { id: deliveryId } = await recordOrder(ports, makeOrder(shop));
      const run = () =>
        runJob({ ...ports, ...stores, orders: { read: () => null } } as never, {
          kind,
          orgId: shop.orgId,
          deliveryId,
          attempts: 0,
        });
      expect(await run()).toBe('later');
      clock.advance(MAX_UNREADABLE_MS);
      expect(await run()).toBe('done');
      expect(await stores.deliveries.show(shop.orgId, deliveryId)).toMatchObject({ status: 'error' });
    },
  );
});

it('an entry whose body is gone is given up at once', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const { id: deliveryId } = await recordOrder(ports, makeOrder(shop));
  const find = async (...of: Parameters<typeof stores.deliveries.find>) => {
    const found = await stores.deliveries.find(...of);
    return found && { ...found, body: null };
  };
  const job = { ...ports, deliveries: { ...stores.deliveries, find }, orders: { read: () => null } };
  expect(await fulfilDelivery(job, { orgId: shop.orgId, deliveryId, attempts: 0 })).toMatchObject({
    kind: 'given-up',
    plan: { delivery: { status: 'error', reason: REMOVED } },
  });
});

it('an entry that somebody reads and decides meanwhile is not given up', async () => {
  const ports = await openShopInMemory();
  const { stores, shop } = ports;
  const order = makeOrder(shop);
  const { id: deliveryId } = await recordOrder(ports, order);
  ports.clock.advance(MAX_UNREADABLE_MS);
  const show = async (...of: Parameters<typeof stores.deliveries.show>) => {
    const row = await stores.deliveries.show(...of);
    await fulfilOrder(ports, order, { id: deliveryId, attempts: 0 });
    return row;
  };
  const job = { ...ports, deliveries: { ...stores.deliveries, show }, orders: { read: () => null } };
  expect(await fulfilDelivery(job, { orgId: shop.orgId, deliveryId, attempts: 0 })).toEqual({
    kind: 'nothing-to-do',
  });
  expect(await stores.deliveries.show(shop.orgId, deliveryId)).toMatchObject({
    status: 'pending',
    lines: [{ outcome: 'delivered' }],
  });
});
