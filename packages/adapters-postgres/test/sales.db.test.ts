import {
  decideFulfilment,
  fulfilOrder,
  type RecordSaleResult,
  recordSale,
  releaseEntries,
  type SaleForm,
  setSubscription,
} from '@handover/domain';
import { BY_JANA, makeOrder, openShop, recordOrder } from '@handover/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

function sell(changes: Partial<SaleForm> = {}, idempotencyKey: string | null = null) {
  const { products, purchases } = opened.stores;
  return recordSale(
    { clock, ids, products, purchases },
    { orgId: shop.orgId, source: 'api', idempotencyKey, by: BY_JANA },
    {
      customerId: 'new',
      newCustomer: { name: 'Ana Lima', email: 'ana@example.com' },
      productId: shop.product.id,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'card',
      sendEmail: true,
      ...changes,
    },
  );
}

function kindsOf(results: readonly RecordSaleResult[]): readonly string[] {
  return results.map(({ kind }) => kind).sort();
}

const SALE_TABLES = [
  'customers',
  'purchases',
  'download_links',
  'outgoing_emails',
  'activity',
  'idempotency_keys',
];

function countAll(): Promise<readonly number[]> {
  return Promise.all(SALE_TABLES.map(count));
}

describe('sales at the same moment', () => {
  it('for one new address: one is recorded, the other finds the customer and creates nothing', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const both = ['ana', 'ANA'].map((name, at) =>
        sell({ newCustomer: { name, email: `${name}${round}@example.com` } }, `${round} ${at}`),
      );
      expect(kindsOf(await Promise.all(both))).toEqual(['customer-exists', 'recorded']);
      expect(await countAll()).toEqual(SALE_TABLES.map(() => round));
      expect(await opened.queuedJobs()).toHaveLength(round);
    }
  });

  it('with one idempotency key, twenty times: one sale, and twenty times its ids', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => sell({}, 'key')));
    expect(results[0]?.kind).toBe('recorded');
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(await countAll()).toEqual(SALE_TABLES.map(() => 1));
    expect(await opened.queuedJobs()).toHaveLength(1);
  });

  it('with one idempotency key and two forms: one is recorded, the other is told', async () => {
    const results = await Promise.all(
      ['1.00', '2.00', '1.00', '2.00'].map((amount) => sell({ amount }, 'key')),
    );
    expect(kindsOf(results)).toEqual(['key-reused', 'key-reused', 'recorded', 'recorded']);
    expect(await countAll()).toEqual(SALE_TABLES.map(() => 1));
  });

  it('leave a key free when the one that came with it first failed', async () => {
    await sell();
    const before = await countAll();
    const failing = [
      sell({}, 'key'),
      sell({ customerId: ids.next() }, 'key'),
      sell({ customerId: 'nobody' }, 'key'),
      sell({ productId: ids.next() }, 'key'),
    ];
    expect(kindsOf(await Promise.all(failing))).toEqual([
      'customer-exists',
      'unknown-customer',
      'unknown-customer',
      'unknown-product',
    ]);
    expect(await countAll()).toEqual(before);
    const newCustomer = { name: 'Bo', email: 'bo@example.com' };
    expect(await sell({ newCustomer }, 'key')).toMatchObject({ kind: 'recorded' });
  });

  it('for an address that an order brings just then: one customer', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = `both${round}@example.com`;
      const order = makeOrder(shop, { orderId: `${round}`, customer: { email, name: 'Both' } });
      const { id } = await recordOrder(ports(), order);
      const [sale, plan] = await Promise.all([
        sell({ newCustomer: { name: 'Both', email } }),
        fulfilOrder(ports(), order, { id, attempts: 0 }),
      ]);
      expect(['recorded', 'customer-exists']).toContain(sale.kind);
      expect(plan.purchases).toHaveLength(1);
      expect(await count(`customers where email = '${email}'`)).toBe(1);
    }
  });
});

const HELD = 3000;

describe('a subscription', () => {
  const organisations = () => ({ clock, organisations: opened.stores.organisations });

  it('that is renewed while an order is being decided as expired does not lose it', async () => {
    for (let round = 0; round < 20; round += 1) {
      await setSubscription(organisations(), shop.orgId, clock.now());
      const order = makeOrder(shop, { orderId: `${round}` });
      const { id } = await recordOrder(ports(), order);
      const known = await opened.stores.fulfilment.loadSnapshot(order);
      const plan = decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
      expect(plan.delivery.heldFor).toBe('subscription');
      const [outcome, renewed] = await Promise.all([
        opened.stores.fulfilment.commit(plan),
        setSubscription(organisations(), shop.orgId, null),
      ]);
      expect(renewed.kind).toBe('set');
      // Either it was held first, and is released; or it is decided again.
      const attempts = outcome === 'committed' ? 1 : 0;
      const release = { kind: 'subscription' } as const;
      await opened.stores.openDeliveries.releaseNext(shop.orgId, release, { at: clock.now(), limit: 9 });
      if (outcome === 'committed') {
        expect(await opened.queuedJobs()).toContainEqual(
          expect.objectContaining({ deliveryId: id, attempts }),
        );
      }
      const again = await fulfilOrder(ports(), order, { id, attempts });
      expect(again.delivery.status).toBe('pending');
    }
    expect(await count('purchases')).toBe(20);
    expect(await count('deliveries where held_for is not null')).toBe(0);
  });

  it('releases thousands of held orders, each with its attempts, and nobody else’s', async () => {
    const other = await openShop(ports(), 'Other');
    for (const { orgId, connection } of [shop, other]) {
      const body = { id: ids.next(), bytes: new Uint8Array(), headers: {} };
      await opened.stores.deliveries.record({
        orgId,
        body,
        deliveries: [],
        jobs: [],
        proof: null,
        rejectedId: null,
      });
      await opened.database.pool.query(
        `insert into deliveries
           (org_id, id, platform, connection_id, body_id, received_at, status, held_for, attempts)
         select $1, gen_random_uuid(), 'cart-a', $2, $3, now(), 'held', held_for, 1 + number % 3
         from generate_series(1, ${HELD}) as number, unnest(array['subscription', 'products']) as held_for`,
        [orgId, connection.id, body.id],
      );
    }
    expect(await setSubscription(organisations(), shop.orgId, null)).toEqual({
      kind: 'set',
      released: HELD,
    });
    const release = { orgId: shop.orgId, release: { kind: 'subscription' } } as const;
    while ((await releaseEntries({ ...ports(), ...opened.stores }, release)) !== 'done');
    await opened.dropJobs((await opened.queuedJobs()).filter(({ kind }) => kind === 'release-entries'));
    const { rows } = await opened.database.pool.query(
      `select count(*)::integer as right_ones from jobs
       join deliveries on deliveries.id = subject::uuid and held_for = 'subscription'
         and deliveries.org_id = jobs.org_id and deliveries.attempts = jobs.attempts
       where jobs.org_id = $1 and kind = 'fulfil-delivery' and lane = 'reruns'`,
      [shop.orgId],
    );
    expect(rows[0].right_ones).toBe(HELD);
    expect(await count('jobs')).toBe(HELD);
  });
});

describe('a download session', () => {
  it('that ten requests begin at once is one', async () => {
    const sold = await sell();
    const linkId = sold.kind === 'recorded' ? sold.linkId : '';
    const begin = (at: Date) => {
      const request = { sessionId: ids.next(), joining: null, client: 'browser', at } as const;
      return opened.stores.sessions.begin(shop.orgId, linkId, request);
    };
    const sent = { version: '1.0', name: 'pads.zip', size: 5e9, ranges: [{ start: 0, end: 5e9 }] };
    for (let round = 1; round <= 5; round += 1) {
      const at = new Date(clock.now().getTime() + round * 24 * 60 * 60 * 1000);
      const begun = await Promise.all(Array.from({ length: 10 }, () => begin(at)));
      expect(new Set(begun).size).toBe(1);
      expect(await count('download_sessions')).toBe(round);
      const sessionId = begun[0] ?? '';
      await Promise.all(begun.map(() => opened.stores.sessions.addSent(shop.orgId, sessionId, sent, at)));
    }
    expect(await count('download_sessions where bytes = 50000000000')).toBe(5);
    // Once completed, it is not joined any more.
    await opened.database.pool.query('update download_sessions set completed_at = last_byte_at');
    const at = new Date(clock.now().getTime() + 5 * 24 * 60 * 60 * 1000);
    await begin(at);
    expect(await count('download_sessions')).toBe(6);
  });
});
