import {
  ALL_PURCHASES,
  beginBulk,
  correctAddress,
  eraseCustomer,
  fulfilOrder,
  recordDeliveries,
  recordSale,
  requestFreshLink,
  resendReceipt,
  restorePurchases,
  revokePurchases,
  subjectOfReceipt,
} from '@handover/domain';
import {
  BY_JANA,
  byOwner,
  completeEmail,
  createFakeTokens,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { WAITING, whileLocked } from './while-locked.ts';

const EMAIL = 'quinta.farias@example.org';
const MISTYPED = 'quinta.farias@exmaple.org';
const BUYER = { email: EMAIL, name: 'Quinta Farias' };
/** Mail servers also name a box without its domain. */
const ANSWER = '550 5.1.1 quinta.farias: unknown user';
const TRACES = [/quinta/i, new RegExp(Buffer.from('quinta').toString('hex'), 'i')];

openShopAnew(beforeEach);

it('no row of any table tells of an erased buyer', async () => {
  const { customerId } = await sellByForm();
  const { receiptId } = await sellToBuyer();
  await leaveTraces(receiptId);
  expect(await listTraces()).toEqual([
    'activity',
    'alerts',
    'bulk_actions',
    'customers',
    'deliveries',
    'delivery_bodies',
    'dismissals',
    'idempotency_keys',
    'outgoing_emails',
    'rejected_deliveries',
  ]);
  expect(await erase(customerId)).toBe('erased');
  expect(await listTraces()).toEqual([]);
});

it('no event that names an order by its number alone tells of an erased buyer', async () => {
  const { customerId } = await sellToBuyer();
  const refund = {
    kind: 'ignored',
    orderId: null,
    orderNumber: '#1001',
    reason: 'Refunded.',
    isRefunded: true,
  } as const;
  for (const orderNumber of ['#1001', '#1002'])
    for (let times = 0; times < 2; times += 1) {
      const content = { kind: 'translated', entries: [{ ...refund, orderNumber }] } as const;
      const bytes = new TextEncoder().encode(orderNumber === '#1001' ? EMAIL : 'eva@example.com');
      const from = { orgId: shop.orgId, platform: 'storefront-a', connectionId: shop.connection.id } as const;
      const received = { ...from, receivedAt: clock.now(), bytes, headers: {}, content };
      await recordDeliveries(ports(), received, 'in-background');
    }
  expect(await erase(customerId)).toBe('erased');
  expect(await listTraces()).toEqual([]);
  expect(await count('delivery_bodies')).toBe(2);
});

it('no alert about rejected requests tells of an erased buyer, in any spelling', async () => {
  const { customerId } = await sellToBuyer();
  const facts = {
    orgId: shop.orgId,
    platform: 'storefront-a',
    reason: 'It has ended.',
    at: clock.now(),
  } as const;
  const named = { deliveryId: null, orderNumber: '#7', customerEmail: EMAIL.toUpperCase() };
  const alert = {
    orgId: shop.orgId,
    cause: 'rejected',
    about: 'rejected storefront-a',
    subjectId: ids.next(),
  } as const;
  const kept = {
    id: ids.next(),
    receivedAt: clock.now(),
    source: 's',
    headers: {},
    bytes: new Uint8Array([1]),
  };
  await opened.stores.rejected.record({
    ...{ ...facts, count: 1, alert: { ...alert, details: { ...facts, ...named } } },
    kept: { ...facts, ...kept, secretFingerprint: null },
  });
  expect(await erase(customerId)).toBe('erased');
  expect(await listTraces()).toEqual([]);
});

it('an order of the buyer is decided meanwhile: erasing waits for its mail', async () => {
  const { customerId } = await sellToBuyer();
  const order = makeOrder(shop, { orderId: '9', customer: BUYER });
  const { id } = await recordOrder(ports(), order);
  const [plan, answer] = await whileLocked('customers where id = $1', customerId, [
    () => fulfilOrder(ports(), order, { id, attempts: 0 }),
    () => erase(customerId),
  ]);
  expect(plan).toMatchObject({ value: { purchases: [{ customerId }] } });
  expect(answer).toMatchObject({ value: 'mail-waits' });
});

it('an order that comes while its buyer is erased is of a new customer', async () => {
  const { customerId } = await sellToBuyer();
  const order = makeOrder(shop, { orderId: '9', customer: BUYER });
  const [answer, sold] = await whileLocked('customers where id = $1', customerId, [
    () => erase(customerId),
    async () => {
      const { id } = await recordOrder(ports(), order);
      return fulfilOrder(ports(), order, { id, attempts: 0 });
    },
  ]);
  expect(answer).toMatchObject({ value: 'erased' });
  expect(sold).toMatchObject({ value: { customer: BUYER } });
});

it('a buyer is erased while the receipt is sent again, and while a new link is asked for', async () => {
  const { customerId, purchaseId, linkId, receiptId } = await sellToBuyer();
  clock.advance(50 * 60 * 60 * 1000);
  const seen = { id: receiptId, status: 'sent' } as const;
  const tokens = createFakeTokens();
  const results = await whileLocked('purchases where id = $1', purchaseId, [
    () => erase(customerId),
    () => resendReceipt(ports(), shop.orgId, purchaseId, { by: BY_JANA, seen }),
    () => requestFreshLink({ ...ports(), tokens }, tokens.seal(shop.orgId, linkId)),
  ]);
  expect(results).toMatchObject([
    { value: 'erased' },
    { value: { kind: 'revoked' } },
    { value: { kind: 'revoked' } },
  ]);
});

it('a purchase that is restored while its buyer is erased stays revoked', async () => {
  const { customerId, purchaseId } = await sellToBuyer();
  const { orgId } = shop;
  await revokePurchases(ports(), orgId, [purchaseId], BY_JANA);
  await whileLocked('purchases where id = $1', purchaseId, [
    () => erase(customerId),
    () => restorePurchases(ports(), orgId, [purchaseId], BY_JANA),
  ]);
  const record = await opened.stores.purchases.show(orgId, purchaseId);
  expect(record?.links.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
});

it('a buyer is erased although another transaction locks the same rows in another order', async () => {
  const { customerId, purchaseId, linkId } = await sellToBuyer();
  const other = await opened.database.pool.connect();
  await other.query('begin');
  await other.query('select from download_links where id = $1 for update', [linkId]);
  const erasing = erase(customerId);
  await vi.waitFor(async () => expect(await count(WAITING)).toBe(1), WAIT_TIMEOUT_MS);
  await other.query('select from purchases where id = $1 for update', [purchaseId]);
  await other.query('commit');
  other.release();
  expect(await erasing).toBe('erased');
});

it('a buyer of many orders is erased, and those of others stay', async () => {
  const { customerId } = await sellToBuyer();
  const other = await openShop(ports(), 'Other');
  await sellAndSend(other);
  for (let number = 2; number < 40; number += 1) await sellAndSend(shop, String(number));
  expect(await erase(customerId)).toBe('erased');
  expect(await listTraces()).toEqual(['customers', 'deliveries', 'delivery_bodies', 'outgoing_emails']);
  const { rows } = await opened.database.pool.query(
    'select count(*)::int as kept from purchases where customer_id = $1',
    [customerId],
  );
  expect(rows).toEqual([{ kept: 39 }]);
});

function erase(customerId: string) {
  return eraseCustomer({ ...ports(), customers: opened.stores.customers }, shop.orgId, customerId, BY_JANA);
}

/** A buyer whose address was corrected. */
async function sellToBuyer() {
  const { purchaseId, receiptId } = await sellAndSend(shop, '1', MISTYPED, 'refused');
  const asked = { by: BY_JANA, seen: MISTYPED };
  const corrected = await correctAddress(ports(), shop.orgId, purchaseId, EMAIL, asked);
  if (corrected.kind !== 'corrected') throw new Error(`The sample correction: ${corrected.kind}`);
  const mailing = await opened.stores.mailings.find(shop.orgId, purchaseId);
  const renewed = mailing?.receipt?.id ?? receiptId;
  await complete(shop.orgId, renewed, 'sent');
  const record = await opened.stores.purchases.show(shop.orgId, purchaseId);
  return { customerId: corrected.customerId, purchaseId, linkId: record?.linkId ?? '', receiptId: renewed };
}

/** Sells by a form with an idempotency key, to the buyer as a new customer. */
async function sellByForm() {
  const origin = { orgId: shop.orgId, source: 'api', idempotencyKey: 'key-1', by: BY_JANA } as const;
  const recorded = await recordSale(ports(), origin, {
    ...{ customerId: 'new', newCustomer: BUYER, productId: shop.product.id, sendEmail: false },
    ...{ amount: '49.00', currency: 'EUR', paymentMethod: 'invoice' },
  });
  if (recorded.kind !== 'recorded') throw new Error(`The sample sale: ${recorded.kind}`);
  return recorded;
}

async function sellAndSend(
  at: Parameters<typeof makeOrder>[0],
  orderId = '1',
  email = EMAIL,
  end: 'sent' | 'refused' = 'sent',
) {
  const order = makeOrder(at, { orderId, customer: { ...BUYER, email } });
  const { id, bodyId } = await recordOrder(ports(), order);
  await opened.database.pool.query('update delivery_bodies set bytes = $2 where id = $1', [
    bodyId,
    JSON.stringify(order.customer),
  ]);
  const plan = await fulfilOrder(ports(), order, { id, attempts: 0 });
  const receiptId = plan.receipt?.id ?? '';
  await complete(at.orgId, receiptId, end);
  return { purchaseId: plan.purchases[0]?.id ?? '', receiptId };
}

function complete(orgId: string, receiptId: string, kind: 'sent' | 'refused') {
  const at = clock.now();
  const outcome = { kind, at, answer: ANSWER, reason: `The mail server refused the receipt: “${ANSWER}”` };
  return completeEmail(opened.stores, orgId, receiptId, at, outcome);
}

/** A dismissal, a bulk action that has ended, and a rejected request. */
async function leaveTraces(receiptId: string): Promise<void> {
  const { orgId } = shop;
  const { stores } = opened;
  const at = clock.now();
  const bulk = { id: ids.next(), orgId, action: 'revoke', total: 1, askedAt: at } as const;
  await beginBulk(
    { ...ports(), inTransaction: stores.inTransaction },
    { ...bulk, by: await byOwner(stores, orgId) },
    { ...ALL_PURCHASES, text: EMAIL },
  );
  // As the dashboard does it, whose entry is about the organisation.
  const reason = 'Quinta called: she has it.';
  const subject = subjectOfReceipt(receiptId);
  await stores.dismissals.dismiss(orgId, [
    { subject, seenAt: at, seenCount: 1, reason, by: 'jana@example.com', at },
  ]);
  const entry = { id: ids.next(), at, kind: 'action-item-dismissed', subjectId: orgId, ...BY_JANA } as const;
  const what = `The refused receipt of Pads for ${BUYER.name}`;
  await stores.activity.add(orgId, { ...entry, summary: `Dismissed: ${what}. Reason: ${reason}` });
  await stores.bulkActions.cancel(orgId, bulk.id, { at, by: 'jana@example.com' });
  const facts = { orgId, platform: 'storefront-a', reason: 'It fits no secret.' } as const;
  const kept = {
    id: ids.next(),
    receivedAt: at,
    source: 's',
    headers: {},
    bytes: new TextEncoder().encode(EMAIL),
  };
  const order = { orderId: '7', orderNumber: '#7', normalizedEmail: EMAIL };
  await stores.rejected.record({
    ...{ ...facts, count: 1, at, alert: null },
    kept: { ...facts, ...kept, secretFingerprint: null, order },
  });
}

/** The tables with a row that tells of the buyer, as text or as bytes. */
async function listTraces(): Promise<readonly string[]> {
  const { pool } = opened.database;
  const { rows: tables } = await pool.query<{ readonly name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
  );
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ readonly row: string }>(`select ${name}::text as row from ${name}`);
    if (rows.some(({ row }) => TRACES.some((trace) => trace.test(row))))
      found.add(name.replace(/_(?:\d+|default)$/, ''));
  }
  return [...found];
}
