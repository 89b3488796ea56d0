import { countOpenWithSku, fulfilOrder, joinNotes, releaseEntries, releaseUnmatched } from '@handover/domain';
import { makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { nameOrder } from '../src/fulfilment/record-deliveries.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

const SHOP = { orgId: 'org', connection: { id: 'main' } };

describe('what an entry of the log is found by', () => {
  it('is its order’s id and number, and the buyer’s address, folded', () => {
    const customer = { email: ' Ana@Example.com ', name: null };
    expect(nameOrder(makeOrder(SHOP, { customer }))).toEqual({
      orderId: '5001',
      orderNumber: '#1001',
      normalizedEmail: 'ana@example.com',
    });
  });

  it('is not an address where mail cannot go to it', () => {
    for (const email of [null, 'ana at home']) {
      expect(nameOrder(makeOrder(SHOP, { customer: { email, name: null } })).normalizedEmail).toBe(null);
    }
  });

  it('is at most two hundred characters of a number', () => {
    const { orderNumber } = nameOrder(makeOrder(SHOP, { orderNumber: 'x'.repeat(201) }));
    expect(orderNumber).toBe('x'.repeat(200));
  });
});

it('notes are joined with a blank, and none of them make none', () => {
  expect(joinNotes('One.', null, 'Two.')).toBe('One. Two.');
  expect(joinNotes(null, null)).toBe(null);
  expect(joinNotes()).toBe(null);
});

it('entries with an open line are counted and released by their SKU in whatever spelling', async () => {
  const ports = await openShopInMemory();
  const { stores, shop, clock } = ports;
  const order = makeOrder(shop, { lines: [makeLine('Old-SKU')] });
  const { id } = await recordOrder(ports, order);
  await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  expect(await countOpenWithSku(stores, shop.orgId, ' OLD-sku ', null)).toBe(1);
  expect(await countOpenWithSku(stores, shop.orgId, 'other', null)).toBe(0);
  await releaseUnmatched({ ...stores, clock }, shop.orgId, 'other', null);
  await releaseUnmatched({ ...stores, clock }, shop.orgId, ' OLD-sku ', null);
  for (const job of await stores.queuedJobs()) {
    if (job.kind === 'release-entries') await releaseEntries({ ...stores, clock }, job);
  }
  const due = (await stores.queuedJobs()).filter(({ kind }) => kind === 'fulfil-delivery');
  expect(due).toContainEqual({
    kind: 'fulfil-delivery',
    orgId: shop.orgId,
    deliveryId: id,
    attempts: 1,
    startAfter: clock.now(),
  });
});
