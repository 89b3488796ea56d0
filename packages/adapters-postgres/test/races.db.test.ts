import {
  activateVersion,
  type CommitAnswer,
  createVersion,
  decideFulfilment,
  fulfilOrder,
  type Order,
  type Plan,
  updateProduct,
} from '@handover/domain';
import {
  claimEmail,
  claimIdOf,
  completeEmail,
  makeLine,
  makeOrder,
  publishProduct,
  recordOrder,
} from '@handover/testkit';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { lockRevision } from '../src/stores/writes/catalogue/catalogue-revision.ts';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

async function fulfil(order: Order): Promise<Plan> {
  const { id } = await recordOrder(ports(), order);
  return fulfilOrder(ports(), order, { id, attempts: 0 });
}

async function planFor(order: Order): Promise<Plan> {
  const { id } = await recordOrder(ports(), order);
  const known = await opened.stores.fulfilment.loadSnapshot(order);
  return decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
}

describe('races', () => {
  it('twenty deliveries of one order of many products at once make each purchase once, with one receipt', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `Kit ${at}`);
    for (const name of names) await publishProduct(ports(), shop.orgId, name);
    const orders = Array.from({ length: 20 }, (_, at) =>
      // Each product is in a separate order.
      makeOrder(shop, {
        lines: [...names.slice(at % 10), ...names.slice(0, at % 10)].map((sku) => makeLine(sku)),
      }),
    );
    const plans = await Promise.all(orders.map(fulfil));
    expect(plans.filter(({ receipt }) => receipt)).toHaveLength(1);
    expect([
      await count('purchases'),
      await count(`outgoing_emails where kind = 'receipt'`),
      await count('download_links'),
    ]).toEqual([10, 1, 10]);
    expect([await count('customers'), await count('activity')]).toEqual([1, 1]);
    expect(await count(`deliveries where attempts = 1 and status = 'pending'`)).toBe(20);
    expect((await opened.queuedJobs()).map(({ kind }) => kind)).toEqual(['send-email']);
  });

  it('of two plans that make the same customer one is refused, and leaves nothing', async () => {
    const plans = await Promise.all(['1', '2'].map((orderId) => planFor(makeOrder(shop, { orderId }))));
    const outcomes = await Promise.all(plans.map((plan) => opened.stores.fulfilment.commit(plan)));
    expect(outcomes.sort()).toEqual(['changed-meanwhile', 'committed']);
    expect([
      await count('customers'),
      await count('purchases'),
      await count(`outgoing_emails where kind = 'receipt'`),
    ]).toEqual([1, 1, 1]);
    expect(await count('deliveries where attempts = 1')).toBe(1);
  });

  it('concurrent orders that overlap never make a purchase twice, in every combination', async () => {
    const names = ['One', 'Two', 'Three', 'Four'];
    for (const name of names) await publishProduct(ports(), shop.orgId, name);
    const orders = Array.from({ length: 30 }, (_, at) =>
      makeOrder(shop, {
        lines: names.filter((_, bit) => ((at % 15) + 1) & (1 << bit)).map((sku) => makeLine(sku)),
      }),
    );
    await Promise.all(orders.map(fulfil));
    expect(await count('purchases')).toBe(4);
    expect(await count(`outgoing_emails where kind = 'receipt'`)).toBe((await opened.queuedJobs()).length);
  });

  it('a product that is published while its order is being decided is not left held', async () => {
    const draft = { clock, products: opened.stores.products };
    for (let round = 0; round < 10; round += 1) {
      await updateProduct(draft, shop.orgId, shop.product.id, { status: 'draft' });
      const held = await planFor(makeOrder(shop, { orderId: `${round}` }));
      expect(held.delivery.status).toBe('held');
      const [outcome] = await Promise.all([
        opened.stores.fulfilment.commit(held),
        updateProduct(draft, shop.orgId, shop.product.id, { status: 'published' }),
      ]);
      // Either the hold was committed before the change, or it is refused: then the order is decided again.
      if (outcome === 'committed') continue;
      const again = await fulfilOrder(ports(), makeOrder(shop, { orderId: `${round}` }), {
        id: held.delivery.id,
        attempts: 0,
      });
      expect(again.delivery.status).toBe('pending');
    }
  });

  it('an activation refuses plans for the version before', async () => {
    const { products } = opened.stores;
    const plan = await planFor(makeOrder(shop));
    const version = await createVersion({ clock, ids, products }, shop.orgId, shop.product.id, '2.0');
    const versionId = version.kind === 'created' ? version.version.id : '';
    await products.putFile(shop.orgId, versionId, { name: 'a', size: 1, sha256: 'a'.repeat(64) });
    await activateVersion({ clock, products }, shop.orgId, shop.product.id, versionId);
    expect(await opened.stores.fulfilment.commit(plan)).toBe('changed-meanwhile');
  });

  it('files that arrive while a version goes live are in it or refused, and never added later', async () => {
    const { products } = opened.stores;
    for (let round = 0; round < 10; round += 1) {
      const version = await createVersion(
        { clock, ids, products },
        shop.orgId,
        shop.product.id,
        `3.${round}`,
      );
      const versionId = version.kind === 'created' ? version.version.id : '';
      const put = (name: string) =>
        products.putFile(shop.orgId, versionId, { name, size: 1, sha256: 'a'.repeat(64) });
      await put('first');
      const [live, second] = await Promise.all([
        activateVersion({ clock, products }, shop.orgId, shop.product.id, versionId),
        put('second'),
      ]);
      const files = (await products.findVersion(shop.orgId, shop.product.id, versionId))?.files ?? [];
      expect(live.kind).toBe('activated');
      expect(files.map(({ name }) => name)).toEqual(second === 'saved' ? ['first', 'second'] : ['first']);
    }
  });

  it('an entry that waits for two receipts is completed, though both are completed at once', async () => {
    await publishProduct(ports(), shop.orgId, 'Keys');
    for (let round = 0; round < 10; round += 1) {
      const order = (sku: string[]) =>
        makeOrder(shop, { orderId: `${round}`, lines: sku.map((name) => makeLine(name)) });
      const first = await fulfil(order(['PADS']));
      const both = await fulfil(order(['PADS', 'KEYS']));
      const third = await fulfil(order(['KEYS', 'PADS']));
      await Promise.all(
        [first, both].map(async ({ receipt }) => {
          await completeEmail(opened.stores, shop.orgId, receipt?.id ?? '', clock.now(), {
            kind: 'sent',
            at: clock.now(),
            answer: '250',
          });
        }),
      );
      for (const { delivery } of [first, both, third]) {
        expect(await opened.stores.deliveries.find(shop.orgId, delivery.id)).toMatchObject({
          status: 'success',
        });
      }
    }
  });

  it('a redelivery that is decided while the receipt is being completed is not left waiting', async () => {
    const at = clock.now();
    for (let round = 0; round < 30; round += 1) {
      const order = makeOrder(shop, { orderId: `${round}` });
      const receiptId = (await fulfil(order)).receipt?.id ?? '';
      const claimId = claimIdOf(await claimEmail(opened.stores, shop.orgId, receiptId, at));
      const [plan] = await Promise.all([
        fulfil(order),
        opened.stores.outgoingEmails.complete(shop.orgId, receiptId, claimId, {
          kind: 'sent',
          at,
          answer: '250',
        }),
      ]);
      expect(await opened.stores.deliveries.find(shop.orgId, plan.delivery.id)).toMatchObject({
        status: 'success',
      });
    }
  });

  it('many redeliveries at once of an order whose receipt was refused ask for it again, without blocking', async () => {
    const order = makeOrder(shop);
    const receiptId = (await fulfil(order)).receipt?.id ?? '';
    const refusal = { kind: 'refused', at: clock.now(), answer: '550', reason: 'No such box.' } as const;
    await completeEmail(opened.stores, shop.orgId, receiptId, clock.now(), refusal);
    const startedAt = Date.now();
    const plans = await Promise.all(Array.from({ length: 20 }, () => fulfil(order)));
    expect(Date.now() - startedAt).toBeLessThan(WAIT_TIMEOUT_MS);
    expect(plans.filter(({ resend }) => resend.length > 0)).toHaveLength(1);
    expect(await claimEmail(opened.stores, shop.orgId, receiptId, clock.now())).toMatchObject({
      kind: 'claimed',
    });
  });

  it('two concurrent changes of a secret leave one without an end', async () => {
    const set = (secret: string) =>
      opened.stores.connections.replaceSecret({
        orgId: shop.orgId,
        platform: 'cart-a',
        name: 'main',
        connectionId: ids.next(),
        secretId: ids.next(),
        secret,
        now: clock.now(),
        formerUntil: clock.now(),
      });
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, at) => set(`secret ${at}`)));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    const [connection] = (await opened.stores.connections.list(shop.orgId, 'cart-a', clock.now())) ?? [];
    expect(connection?.secrets).toHaveLength(1);
  });

  it('a plan waits for another one of its order that is being committed, and is refused for what that bought', async () => {
    await publishProduct(ports(), shop.orgId, 'Keys');
    const held = await planFor(makeOrder(shop, { lines: [makeLine('unknown')] }));
    const buying = await planFor(makeOrder(shop, { lines: [makeLine('KEYS')] }));
    expect(await commitBehind(buying, async () => held)).toBe('changed-meanwhile');
  });

  it('a plan that buys waits for one of its order that is being committed, and completes what that left open', async () => {
    await publishProduct(ports(), shop.orgId, 'Keys');
    const held = await planFor(makeOrder(shop, { lines: [makeLine('unknown')] }));
    const buying = await planFor(makeOrder(shop, { lines: [makeLine('KEYS')] }));
    expect(await commitBehind(held, async () => buying)).toBe('committed');
    expect(await opened.queuedJobs()).toContainEqual(
      expect.objectContaining({ kind: 'resolve-delivery', deliveryId: held.delivery.id, attempts: 1 }),
    );
  });

  it('a plan for an entry that came while another one of its order was being committed waits as well', async () => {
    await publishProduct(ports(), shop.orgId, 'Keys');
    const buying = await planFor(makeOrder(shop, { lines: [makeLine('KEYS')] }));
    const late = () => planFor(makeOrder(shop, { lines: [makeLine('unknown')] }));
    expect(await commitBehind(buying, late)).toBe('changed-meanwhile');
  });

  it('a shop under load can change its products', async () => {
    let stop = false;
    // Nine buyers whose orders are always being committed: at no moment is the catalogue's row free.
    const crowd = Array.from({ length: 9 }, async (_, buyer) => {
      while (!stop) {
        await opened.database.db.transaction().execute(async (trx) => {
          await lockRevision(trx, shop.orgId);
          await sql`select pg_sleep(${0.02 + buyer / 1000})`.execute(trx);
        });
      }
    });
    const startedAt = Date.now();
    for (const name of ['One', 'Two', 'Three']) {
      await updateProduct({ clock, products: opened.stores.products }, shop.orgId, shop.product.id, { name });
    }
    stop = true;
    await Promise.all(crowd);
    expect(Date.now() - startedAt).toBeLessThan(WAIT_TIMEOUT_MS);
  });
});

/** Commits two plans. The transaction of the first one stays open until the second one waits for it. */
async function commitBehind(first: Plan, decide: () => Promise<Plan>): Promise<CommitAnswer> {
  const committed = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const transaction = opened.stores.inTransaction(async ({ fulfilment }) => {
    expect(await fulfilment.commit(first)).toBe('committed');
    committed.resolve();
    await end.promise;
  });
  await committed.promise;
  let commit: Promise<CommitAnswer> | undefined;
  try {
    commit = opened.stores.fulfilment.commit(await decide());
    await vi.waitFor(async () => {
      const { rows } = await opened.database.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(rows).toHaveLength(1);
    }, WAIT_TIMEOUT_MS);
  } finally {
    // A transaction that stayed open would block the next test, and the failure would go unseen.
    end.resolve();
    await transaction;
  }
  return commit;
}
