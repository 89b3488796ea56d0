import {
  ALERT_DELAY_MS,
  decideFulfilment,
  fulfilDelivery,
  fulfilOrder,
  type Job,
  type Order,
  releaseEntries,
  releaseHeld,
  resolveDelivery,
  updateProduct,
} from '@handover/domain';
import { claimEmail, emailOf, makeLine, makeOrder, recordOrder, sendsEmail } from '@handover/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { clock, count, ids, opened, openShopAnew, shop, ports as shopPorts } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

const ports = (order: Order) => ({ ...shopPorts(), orders: { read: () => order } });

async function fulfil(order: Order): Promise<string> {
  const { id } = await recordOrder(ports(order), order);
  await fulfilOrder(ports(order), order, { id, attempts: 0 });
  return id;
}

async function setStatus(status: 'draft' | 'published'): Promise<void> {
  await updateProduct({ clock, products: opened.stores.products }, shop.orgId, shop.product.id, { status });
}

/** Runs every job of an entry concurrently, and the jobs that they queue. */
async function work(order: Order): Promise<void> {
  const todo = async () =>
    (await opened.queuedJobs()).filter(({ kind }) => /^(fulfil|resolve|release)-/.test(kind));
  for (let jobs = await todo(); jobs.length > 0; jobs = await todo()) {
    await Promise.all(jobs.map((job) => doJob(job, order)));
    await opened.dropJobs(jobs);
  }
}

async function doJob(job: Job, order: Order): Promise<void> {
  if (job.kind === 'fulfil-delivery') await fulfilDelivery(ports(order), job);
  if (job.kind === 'resolve-delivery') await resolveDelivery(ports(order), job);
  if (job.kind === 'release-entries') while ((await releaseEntries(ports(order), job)) !== 'done');
}

describe('releasing', () => {
  it('twice at once, while one of the entries is delivered again, makes one purchase and leaves nothing held', async () => {
    await setStatus('draft');
    const order = makeOrder(shop);
    const entries: string[] = [];
    for (let number = 0; number < 9; number += 1) entries.push(await fulfil(order));
    await setStatus('published');
    const release = () => releaseHeld(ports(order), shop.orgId, shop.product.id);
    await Promise.all([
      release(),
      release(),
      fulfilOrder(ports(order), order, { id: entries[4] ?? '', attempts: 1 }),
    ]);
    await work(order);
    expect([await count('purchases'), await count(`outgoing_emails where kind = 'receipt'`)]).toEqual([1, 1]);
    expect(await count(`deliveries where status = 'pending'`)).toBe(9);
    expect(await count(`delivery_lines where outcome = 'delivered'`)).toBe(1);
    expect((await opened.queuedJobs()).map(({ kind }) => kind)).toEqual(['send-email']);
  });

  it('after publishing finds an order that was being decided while it was published, or it delivers itself', async () => {
    for (let round = 0; round < 10; round += 1) {
      await setStatus('draft');
      const order = makeOrder(shop, { orderId: `${round}` });
      const { id } = await recordOrder(ports(order), order);
      const known = await opened.stores.fulfilment.loadSnapshot(order);
      const held = decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
      const [outcome] = await Promise.all([
        opened.stores.fulfilment.commit(held),
        setStatus('published').then(() => releaseHeld(ports(order), shop.orgId, shop.product.id)),
      ]);
      if (outcome === 'changed-meanwhile') await fulfilOrder(ports(order), order, { id, attempts: 0 });
      await work(order);
      expect(await opened.stores.deliveries.find(shop.orgId, id)).toMatchObject({ status: 'pending' });
    }
    expect(await count('purchases')).toBe(10);
  });
});

describe('alerts', () => {
  it('that come while a mail is being closed are each in one mail, which has a job', async () => {
    const fail = (number: number) =>
      fulfil(makeOrder(shop, { orderId: `${number}`, lines: [makeLine('unknown')] }));
    const first = await fail(0);
    clock.advance(ALERT_DELAY_MS);
    const claims = Array.from({ length: 5 }, () => claimEmail(opened.stores, shop.orgId, first, clock.now()));
    const [claim] = (
      await Promise.all([...claims, ...Array.from({ length: 20 }, (_, number) => fail(number + 1))])
    ).flatMap((result) =>
      typeof result !== 'string' && result.kind === 'claimed' ? [emailOf(result, 'alert')] : [],
    );
    expect([await count('alerts'), await count('alerts where mail_id is null')]).toEqual([21, 0]);
    const said = claim ? claim.alerts.length + claim.more : 0;
    expect(await count(`alerts where mail_id = '${first}'`)).toBe(said);
    const jobs = (await opened.queuedJobs()).filter(sendsEmail('alert'));
    expect(jobs).toHaveLength(await count(`outgoing_emails where kind = 'alert'`));
  });
});

describe('what is open', () => {
  it('is counted and listed by SKU and by product', async () => {
    await fulfil(makeOrder(shop, { orderId: '0', lines: [makeLine('unknown')] }));
    await addEntries(1000);
    const { openDeliveries } = opened.stores;
    expect(await openDeliveries.countUnmatched(shop.orgId)).toBe(101);
    expect(await openDeliveries.listUnmatched(shop.orgId, { after: null, limit: 50 })).toHaveLength(50);
    expect(await openDeliveries.countWithSku(shop.orgId, 'sku 7', null)).toBe(5);
    expect(await openDeliveries.countHeld(shop.orgId, shop.product.id)).toBe(10);
  });
});

/** Half of them have one of 100 unknown SKUs; one in a hundred is held. */
async function addEntries(number: number): Promise<void> {
  const { pool } = opened.database;
  await pool.query(
    `insert into deliveries
       (org_id, id, platform, connection_id, body_id, order_id, received_at, status, decided_at)
     select org_id, gen_random_uuid(), platform, connection_id, body_id, number::text, now(), 'success', now()
     from deliveries, generate_series(1, ${number}) as number`,
  );
  await pool.query(
    `insert into delivery_lines
       (org_id, delivery_id, position, sku, outcome, product_id, candidate, sku_key, platform)
     select org_id, id, 0, 'SKU',
       case when order_id::integer % 100 = 1 then 'held' when order_id::integer % 2 = 0 then 'unmatched'
         else 'already-delivered' end,
       case when order_id::integer % 2 = 1 then $1::uuid end,
       'sku',
       case when order_id::integer % 2 = 0 then 'sku ' || order_id::integer / 2 % 100 end,
       case when order_id::integer % 2 = 0 then platform end
     from deliveries where order_id <> '0'`,
    [shop.product.id],
  );
  await pool.query(
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id)
     select org_id, id, 0, 'SKU', 'already-delivered', $1 from deliveries entry
     where not exists (select from delivery_lines where delivery_id = entry.id)`,
    [shop.product.id],
  );
  await pool.query('analyze');
}
