import type { RejectedReader } from '@handover/domain';
import { countGenuineRejected, deliverRejected, REJECTED_LIFETIME_MS } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeOrder,
  openShop,
} from '@handover/testkit';
import { describe, expect, it } from 'vitest';

const ALL = { status: null, platform: null, before: null, limit: 100 };

/** A shop whose rejected requests are genuine when one of its secrets is their only byte. */
async function openRejectingShop() {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const ids = createCountingIds();
  const shop = await openShop({ stores, clock, ids, apiKeys: createFakeApiKeys() });
  const { orgId } = shop;
  const rejectedReader: RejectedReader = {
    read: ({ bytes, receivedAt, platform }, connections) => {
      const text = new TextDecoder().decode(bytes);
      const signer = connections.find(({ secrets }) => secrets.includes(text));
      const content = { kind: 'translated', entries: [{ kind: 'order', order: makeOrder(shop) }] } as const;
      return signer
        ? { orgId, platform, connectionId: signer.id, receivedAt, bytes, headers: {}, content }
        : null;
    },
  };
  const reject = async (secret: string) => {
    const about = { orgId, platform: 'storefront-a', reason: 'It fits no secret.' } as const;
    const receivedAt = clock.now();
    const content = { bytes: new TextEncoder().encode(secret), headers: {}, secretFingerprint: null };
    const kept = { ...about, ...content, id: ids.next(), receivedAt, source: 'a network' };
    await stores.rejected.record({ ...about, count: 1, at: receivedAt, kept });
    clock.advance(1000);
  };
  const ports = { ...stores, clock, ids, rejectedReader };
  return {
    ...{ ports, stores, clock, orgId, reject },
    count: () => countGenuineRejected(ports, orgId, 'storefront-a'),
    deliver: () => deliverRejected(ports, orgId, 'storefront-a'),
    log: () => stores.deliveries.list(orgId, ALL),
  };
}

describe('rejected requests', () => {
  it('are delivered when they are genuine by now, as of when they came, oldest first', async () => {
    const shop = await openRejectingShop();
    const first = shop.clock.now();
    for (const secret of ['test-secret', 'another', 'test-secret']) await shop.reject(secret);
    expect(await shop.count()).toBe(2);
    expect(await shop.log()).toEqual([]);
    expect(await shop.deliver()).toBe(2);
    const note = 'Rejected on 2026-03-02, delivered after the secret was set.';
    expect(await shop.log()).toMatchObject([
      { status: 'pending', note, receivedAt: new Date(first.getTime() + 2000) },
      { status: 'pending', note, receivedAt: first },
    ]);
    expect((await shop.stores.queuedJobs()).map(({ kind }) => kind)).toEqual([
      'fulfil-delivery',
      'fulfil-delivery',
    ]);
  });

  it('are delivered once', async () => {
    const shop = await openRejectingShop();
    await shop.reject('test-secret');
    const delivered = await Promise.all([shop.deliver(), shop.deliver(), shop.deliver()]);
    expect(delivered.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect([await shop.count(), await shop.deliver(), (await shop.log()).length]).toEqual([0, 0, 1]);
  });

  it('are too old after seven days', async () => {
    const shop = await openRejectingShop();
    await shop.reject('test-secret');
    shop.clock.advance(REJECTED_LIFETIME_MS - 1000);
    expect(await shop.count()).toBe(1);
    shop.clock.advance(1);
    expect(await shop.count()).toBe(0);
  });

  it('of an organisation that is none are none', async () => {
    const { ports } = await openRejectingShop();
    expect(await countGenuineRejected(ports, 'nobody', 'storefront-a')).toBe(0);
  });
});
