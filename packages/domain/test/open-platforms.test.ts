import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createPlatforms,
  decideFulfilment,
  fulfilOrder,
  type OrderSnapshot,
  OUR_PLATFORMS,
  PLATFORMS,
  readConnectionStates,
  revokePurchase,
} from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import {
  BY_JANA,
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeLine,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const KNOWN: OrderSnapshot = {
  catalogueRevision: '1',
  subscriptionExpiresAt: null,
  defaultCurrency: null,
  ignoreTestOrders: false,
  mappings: [],
  products: [{ id: 'pads', name: 'Pads', slug: 'pads', status: 'published', activeVersionId: 'pads-1' }],
  customer: null,
  purchases: [],
};

describe('a platform that nobody here has heard of', () => {
  test('is decided as each of ours is', () => {
    const labels = fc.oneof(fc.constantFrom(...PLATFORMS), fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/));
    fc.assert(
      fc.property(labels, labels, fc.constantFrom('PADS', 'unknown'), (one, other, sku) => {
        expect(decide(one, sku)).toEqual(decide(other, sku));
      }),
    );
  });

  test('is called by its label', () => {
    expect(['our-shop', 'cart-a', 'toString'].map(OUR_PLATFORMS.vendorOf)).toEqual([
      'our-shop',
      'SamCart',
      'toString',
    ]);
  });

  test('is called by its vendor in the activity of those who name it', async () => {
    const platforms = createPlatforms([{ label: 'our-shop', name: 'Our Shop', hasSecretInUrl: false }]);
    const { stores, shop, clock, ids } = await openShopInMemory();
    const ports = { ...stores, clock, ids, platforms };
    const order = makeOrder(shop, { platform: 'our-shop' });
    const { id } = await recordOrder({ ...ports, stores }, order);
    const plan = await fulfilOrder(ports, order, { id, attempts: 0 });
    expect(plan.activity[0]?.summary).toMatch(/^Our Shop order /);
    const [purchase] = plan.purchases;
    await revokePurchase(ports, shop.orgId, purchase?.id ?? '', BY_JANA);
    const record = await stores.purchases.show(shop.orgId, purchase?.id ?? '');
    expect(record?.activity[0]?.summary).toContain(', Our Shop order ');
  });

  test('is among the connections of its organisation', async () => {
    const stores = createInMemoryStores();
    const clock = createManualClock();
    const ids = createCountingIds();
    const { orgId } = await openShop({ stores, clock, ids, apiKeys: createFakeApiKeys() });
    await stores.connections.addSecret({
      ...{ orgId, platform: 'our-shop', name: 'main', now: clock.now(), secret: 'a secret of its own' },
      ...{ connectionId: ids.next(), secretId: ids.next() },
    });
    const states = await readConnectionStates({ clock, ...stores }, orgId);
    expect(states.map(({ platform }) => platform)).toEqual([...PLATFORMS, 'our-shop']);
    expect(states.at(-1)?.connections).toMatchObject([{ name: 'main', state: 'waiting' }]);
  });

  test('is asked for by no rule of fulfilment', () => {
    const folder = fileURLToPath(new URL('../src/fulfilment', import.meta.url));
    const label = new RegExp(`'(?:${PLATFORMS.join('|')})'`);
    for (const name of readdirSync(folder)) {
      expect([name, label.exec(readFileSync(`${folder}/${name}`, 'utf8'))]).toEqual([name, null]);
    }
  });
});

/** What is decided, but for where the order came from. */
function decide(platform: string, sku: string) {
  const order = makeOrder(
    { orgId: 'lumen', connection: { id: 'main' } },
    { platform, lines: [makeLine(sku)] },
  );
  const ids = createCountingIds();
  const plan = decideFulfilment(order, KNOWN, { id: 'entry', attempts: 0 }, NOW, ids);
  const alert = plan.alert && { ...plan.alert, details: { ...plan.alert.details, platform: null } };
  const purchases = plan.purchases.map(({ source: _, paymentMethod: _method, ...purchase }) => purchase);
  const activity = plan.activity.map((entry) => ({
    ...entry,
    summary: entry.summary.replace(`${OUR_PLATFORMS.vendorOf(platform)} order `, 'order '),
  }));
  return { ...plan, activity, alert, purchases };
}
