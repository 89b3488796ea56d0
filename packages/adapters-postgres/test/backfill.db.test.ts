import { randomBytes } from 'node:crypto';
import {
  type ActivityKind,
  fulfilOrder,
  MAX_REJECTED,
  MAX_REJECTED_PER_SOURCE,
  mapSku,
  type Order,
  recordSale,
  unmapSku,
  updateProduct,
} from '@handover/domain';
import { BY_JANA, completeEmail, makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { listShortSecrets } from '../src/index.ts';
import { subjectsOfAlerts } from '../src/migrations/0018-subjects-of-alerts.ts';
import { reruns } from '../src/migrations/0019-reruns.ts';
import { soldAs } from '../src/migrations/0020-sold-as.ts';
import { sourcesOfRejected } from '../src/migrations/0026-sources-of-rejected.ts';
import { shortSecrets } from '../src/migrations/0027-short-secrets.ts';
import { oneUnassignedEntry } from '../src/migrations/0028-one-unassigned-entry.ts';
import { defaultCurrency } from '../src/migrations/0029-default-currency.ts';
import { howItWasDone } from '../src/migrations/0030-how-it-was-done.ts';
import { downloadsPage } from '../src/migrations/0031-downloads-page.ts';
import { jobs } from '../src/migrations/0035-jobs.ts';
import { outgoingEmails } from '../src/migrations/0037-outgoing-emails.ts';
import { wordsOfJobs } from '../src/migrations/0039-words-of-jobs.ts';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { WITHOUT_JOBS } from './without-jobs.ts';
import { WITHOUT_OUTGOING_EMAILS } from './without-outgoing-emails.ts';

openShopAnew(beforeEach);

function makeOrderOf(orderId: string, sku: string): Order {
  return makeOrder(shop, { orderId, lines: [makeLine(sku)] });
}

async function receive(orderId: string, sku: string): Promise<string> {
  const order = makeOrderOf(orderId, sku);
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
  return id;
}

function again(id: string, orderId: string, sku: string) {
  return fulfilOrder(ports(), makeOrderOf(orderId, sku), { id, attempts: 1 });
}

async function query(text: string) {
  return (await opened.database.pool.query(text)).rows;
}

/** Makes the database what it was before these migrations, with all rows that it has, and runs them again. */
async function migrateAgain(): Promise<void> {
  await opened.database.pool.query(`
    drop table if exists sold_as, reruns;
    alter table alerts drop column subject_id;
  `);
  for (const { up } of [subjectsOfAlerts, reruns, soldAs]) await up(opened.database.db);
}

it('a purchase that was made before is known by the SKU that its entry names; where none does, all is as it was', async () => {
  await mapSku(ports(), shop.orgId, { sku: 'PAD-1', platform: null, productId: shop.product.id });
  const named = await receive('1', 'PAD-1');
  const unnamed = await receive('2', 'PAD-1');
  const before = await query('select * from sold_as order by purchase_id');
  await query(`update delivery_lines set candidate = null where delivery_id = '${unnamed}'`);
  await migrateAgain();
  expect(before).toHaveLength(2);
  expect(await query('select * from sold_as')).toEqual([before[0]]);
  await unmapSku(ports(), shop.orgId, { sku: 'PAD-1', platform: null });
  await again(named, '1', 'PAD-1');
  await again(unnamed, '2', 'PAD-1');
  const outcomes = (id: string) =>
    opened.stores.deliveries.show(shop.orgId, id).then((row) => row?.lines[0]?.outcome);
  expect([await outcomes(named), await outcomes(unnamed)]).toEqual(['already-delivered', 'unmatched']);
});

it('resolving that was lost before is made up for where an entry was never resolved, and nowhere else', async () => {
  const setStatus = (status: 'draft' | 'published') =>
    updateProduct(ports(), shop.orgId, shop.product.id, { status });
  await setStatus('draft');
  const [first, second] = [await receive('1', 'PADS'), await receive('1', 'PADS')];
  await receive('2', 'PADS');
  await setStatus('published');
  clock.advance(1000);
  await again(first, '1', 'PADS');
  await opened.dropJobs(await opened.queuedJobs());
  await migrateAgain();
  expect(await query('select delivery_id, kind, attempts from reruns')).toEqual([
    { delivery_id: second, kind: 'settle-delivery', attempts: 1 },
  ]);
  await query(`${WITHOUT_OUTGOING_EMAILS} ${WITHOUT_JOBS}`);
  await opened.database.db.transaction().execute(jobs.up);
  await opened.database.db.transaction().execute(outgoingEmails.up);
  await wordsOfJobs.up(opened.database.db);
  expect(await query(`select subject, attempts from jobs where kind = 'resolve-delivery'`)).toEqual([
    { subject: second, attempts: 1 },
  ]);
});

it('an alert that collects finds what it is about', async () => {
  const entry = await receive('1', 'unknown');
  const origin = { orgId: shop.orgId, source: 'api', idempotencyKey: null, by: BY_JANA } as const;
  const sale = await recordSale(ports(), origin, {
    customerId: 'new',
    newCustomer: { name: 'Ana', email: 'ana@example.com' },
    productId: shop.product.id,
    amount: '1.00',
    currency: 'EUR',
    paymentMethod: 'custom',
    sendEmail: true,
  });
  expect(sale.kind).toBe('recorded');
  const [receipt] = await query(`select id from outgoing_emails where kind = 'receipt'`);
  const refused = { kind: 'refused', at: clock.now(), answer: '550', reason: 'No such box.' } as const;
  await completeEmail(opened.stores, shop.orgId, receipt.id, clock.now(), refused);
  await migrateAgain();
  expect(await query('select subject_id from alerts order by cause')).toEqual([
    { subject_id: entry },
    { subject_id: receipt.id },
  ]);
});

it('a secret that was set before is known to be short by the size of what is sealed', async () => {
  const { connections } = opened.stores;
  const lengths = [
    ['cart-a', [0, 15, 16, 32]],
    ['storefront-b', [7, 8, 9]],
  ] as const;
  await query('delete from connection_secrets');
  for (const [platform, sizes] of lengths) {
    for (const size of sizes) {
      const made = { connectionId: ids.next(), secretId: ids.next(), secret: 'x', name: `${size}` };
      await connections.addSecret({ orgId: shop.orgId, platform, now: clock.now(), ...made });
      const sealed = randomBytes(31 + size).toString('base64url');
      await query(`update connection_secrets set sealed = '${sealed}' where id = '${made.secretId}'`);
    }
  }
  await query('alter table connection_secrets drop column is_short');
  await shortSecrets.up(opened.database.db);
  const facts = await connections.listFacts(shop.orgId, clock.now());
  const short = facts.filter(({ hasShortSecret }) => hasShortSecret);
  expect(short.map(({ platform, name }) => `${platform} ${name}`).sort()).toEqual([
    'cart-a 0',
    'cart-a 15',
    'storefront-b 7',
  ]);
  expect(await listShortSecrets(opened.database, 2)).toMatchObject([
    { orgId: shop.orgId, platform: 'cart-a', connection: '0' },
    { connection: '15' },
  ]);
});

it('a request that was rejected before counts as the only one of its source', async () => {
  const { rejected } = opened.stores;
  const about = { orgId: shop.orgId, platform: 'storefront-a', reason: 'It fits no secret.' } as const;
  const record = (source: string) => {
    const content = { bytes: new Uint8Array(2), headers: {}, secretFingerprint: null, source };
    const kept = { ...about, ...content, id: ids.next(), receivedAt: clock.now() };
    return rejected.record({ ...about, count: 1, at: clock.now(), kept });
  };
  for (let at = 0; at < MAX_REJECTED_PER_SOURCE; at += 1) await record('one');
  await query('alter table rejected_deliveries drop column source');
  await sourcesOfRejected.up(opened.database.db);
  for (let at = 0; at < MAX_REJECTED_PER_SOURCE; at += 1) await record('one');
  expect(await rejected.list(shop.orgId, 'storefront-a', new Date(0))).toHaveLength(MAX_REJECTED);
});

it('a download that was recorded before is found by its product and how far it came', async () => {
  const begun: string[] = [];
  for (const bytes of [null, 3, 5]) {
    await receive(String(bytes), 'PADS');
    const sessionId = await begin();
    begun.push(sessionId);
    if (bytes === null) continue;
    const sent = { version: '1.0', name: 'pads.zip', size: 5, ranges: [{ start: 0, end: bytes }] };
    await opened.stores.sessions.addSent(shop.orgId, sessionId, sent, clock.now());
  }
  const columns = 'select id, product_id, sent_whole, progress from download_sessions order by id';
  const before = await query(columns);
  await query(
    'alter table download_sessions drop column progress, drop column product_id, drop column sent_whole',
  );
  await downloadsPage.up(opened.database.db);
  expect(await query(columns)).toEqual(before);
  const product_id = shop.product.id;
  expect(before).toEqual([
    { id: begun[0], product_id, sent_whole: null, progress: 'started' },
    { id: begun[1], product_id, sent_whole: false, progress: 'partly' },
    { id: begun[2], product_id, sent_whole: true, progress: 'sent' },
  ]);
});

/** A download by the newest link. */
async function begin(): Promise<string> {
  const [link] = await query('select id from download_links order by id desc limit 1');
  const request = {
    sessionId: ids.next(),
    joining: null,
    client: 'browser',
    at: clock.now(),
  } as const;
  return (await opened.stores.sessions.begin(shop.orgId, link.id, request)) ?? '';
}

it('of an order that waited several times for its organisation, the oldest entry stays', async () => {
  const pool = opened.database.pool;
  await pool.query(`
    delete from unassigned_deliveries;
    drop index unassigned_deliveries_of_order;
    alter table unassigned_deliveries drop column problem;
    insert into unassigned_deliveries (id, account, org_hint, order_id, reason, received_at, bytes, headers)
    select format('00000000-0000-7000-8000-%s', lpad(at::text, 12, '0'))::uuid, account, hint, 'cs_1', '', now(), '', '{}'
    from (values (1, 'acct_1', null), (2, 'acct_1', null), (3, null, 'x'), (4, null, 'x'), (5, null, null), (6, null, null))
      as row (at, account, hint)
  `);
  await oneUnassignedEntry.up(opened.database.db);
  const rows = await query('select right(id::text, 1) as at, problem from unassigned_deliveries order by id');
  expect(rows).toEqual(['1', '3', '5'].map((at) => ({ at, problem: null })));
});

it('the default currency is what was mostly sold in, and stands where XXX stood', async () => {
  for (const orderId of ['1', '2', '3', '4']) await receive(orderId, 'PADS');
  const migrate = async (change: string) => {
    await query(`alter table organisations drop column currency; ${change}`);
    await defaultCurrency.up(opened.database.db);
    const rows = await query('select currency from purchases order by order_id');
    const [{ currency: chosen }] = await query(
      `select currency from organisations where id = '${shop.orgId}'`,
    );
    return [chosen, ...rows.map(({ currency }) => currency)];
  };
  const set = (currency: string, orders: string) =>
    `update purchases set currency = '${currency}' where order_id in (${orders});`;
  const mixed = set('XXX', "'1', '2'") + set('USD', "'3', '4'");
  expect(await migrate(mixed)).toEqual(['USD', 'USD', 'USD', 'USD', 'USD']);
  const unknown = set('XXX', "'1', '2', '3', '4'");
  expect(await migrate(unknown)).toEqual([null, null, null, null, null]);
  expect(await migrate(`${unknown} update connections set default_currency = 'CHF';`)).toEqual(
    Array(5).fill('CHF'),
  );
});

it('an entry that was written before says how it was done, as far as that is known', async () => {
  const [purchase, product] = [ids.next(), shop.product.id];
  const add = (kind: ActivityKind, subjectId: string, actor?: string) =>
    opened.stores.activity.add(shop.orgId, {
      id: ids.next(),
      at: clock.now(),
      kind,
      subjectId,
      summary: 'Done.',
      via: 'automatic',
      ...(actor && { actor }),
    });
  await add('product-changed', product, 'jana@example.com');
  await add('sale-recorded', purchase, 'jana@example.com');
  await add('sale-recorded', purchase);
  await add('order-delivered', purchase);
  await query(`
    alter table activity drop column via, drop column via_detail;
    alter table sign_ins drop column withdrawn;
  `);
  await howItWasDone.up(opened.database.db);
  expect(await query('select kind, via from activity order by id')).toEqual([
    { kind: 'product-changed', via: 'dashboard' },
    { kind: 'sale-recorded', via: 'dashboard' },
    { kind: 'sale-recorded', via: 'api-key' },
    { kind: 'order-delivered', via: 'automatic' },
  ]);
});
