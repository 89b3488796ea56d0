import { mapAccount, SHARED_PLATFORM } from '@handover/domain';
import { paymentsA } from '@handover/platform-payments-a';
import { signForTest } from '@handover/platform-payments-a/testing';
import { openShop } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { openTestShop, SERVICE_SECRETS, type TestShop } from './open-test-shop.ts';
import { sendEvent, signEvent } from './send-event.ts';
import { expectOneOrder } from './send-webhook.ts';
import { test } from './test-in-shop.ts';

const URL = '/webhooks/payments-a';
const ALL = { status: null, platform: null, before: null, limit: 9 };

const log = (testShop: TestShop, orgId = testShop.shop.orgId) => testShop.stores.deliveries.list(orgId, ALL);
const waiting = (testShop: TestShop) => testShop.stores.unassigned.list({ after: null, limit: 9 });

function map(testShop: TestShop, account: string, orgId = testShop.shop.orgId) {
  return mapAccount(testShop.ports, { orgId, account });
}

describe('an event that names its organisation', () => {
  test('in its metadata is fulfilled before the usual answer', async ({ testShop }) => {
    const deliveryId = expectOneOrder(await sendEvent(testShop), 'cs_live_b1');
    expect((await testShop.stores.deliveries.find(testShop.shop.orgId, deliveryId))?.attempts).toBe(1);
    expect(await waiting(testShop)).toEqual([]);
    expect(testShop.log.requests()[0]).toMatchObject({
      orgId: testShop.shop.orgId,
      platform: SHARED_PLATFORM,
      deliveryId,
    });
  });

  test('by its account belongs to the account’s organisation, whatever its metadata says', async () => {
    const testShop = await openTestShop();
    const other = await openShop({ ...testShop.ports, stores: testShop.stores }, 'Other');
    await map(testShop, 'acct_1', other.orgId);
    await sendEvent(testShop, { event: { account: 'acct_1' } });
    expect([(await log(testShop)).length, (await log(testShop, other.orgId)).length]).toEqual([0, 1]);
  });

  test('by an unmapped account waits, though its metadata names an organisation', async ({ testShop }) => {
    const answer = await sendEvent(testShop, { event: { account: 'acct_1' } });
    const [entry] = await waiting(testShop);
    expect(expectOneOrder(answer, 'cs_live_b1', 'held')).toBe(entry?.id);
    expect(entry).toMatchObject({ account: 'acct_1', orgHint: null, orderId: 'cs_live_b1' });
    expect(await log(testShop)).toEqual([]);
    expect(testShop.log.requests()[0]).toMatchObject({
      status: 200,
      deliveryStatus: 'held',
      reason: expect.any(String),
    });
    expect(testShop.log.requests()[0]?.orgId).toBe(undefined);
  });

  test.each(['nobody', '018f0000-0000-7000-8000-000000000000', '%00', '../x', ' '])(
    'of an organisation that does not exist (%j) waits: it is never a 404',
    async (orgId) => {
      const testShop = await openTestShop();
      const answer = await sendEvent(testShop, { session: { metadata: { org_id: orgId, sku: 'pads' } } });
      expect([answer.statusCode, answer.json().status]).toEqual([200, 'held']);
      expect(await waiting(testShop)).toHaveLength(1);
    },
  );

  test('or none creates one entry, however often and with how many events it is sent', async () => {
    const testShop = await openTestShop();
    const send = (type?: string) =>
      sendEvent(testShop, { event: { account: 'acct_1', ...(type ? { type } : {}) } });
    const first = await send();
    expect((await send()).json()).toEqual(first.json());
    expect((await send('checkout.session.async_payment_succeeded')).json()).toEqual(first.json());
    expect(await waiting(testShop)).toHaveLength(1);
  });

  test('but is thin is an error that names the remedy, in its organisation’s log or for the operator', async () => {
    const testShop = await openTestShop();
    await map(testShop, 'acct_1');
    const thin = {
      object: 'v2.core.event',
      type: 'v1.checkout.session.completed',
      data: undefined,
      related_object: { id: 'cs_live_b1', type: 'checkout.session' },
    };
    const send = (context: string | null) => sendEvent(testShop, { event: { ...thin, context } });
    expectOneOrder(await send('acct_1'), 'cs_live_b1', 'error');
    expect(await log(testShop)).toMatchObject([
      { status: 'error', reason: expect.stringContaining('snapshot payloads') },
    ]);
    const unassigned = await send(null);
    expect((await send(null)).json()).toEqual(unassigned.json());
    expect(expectOneOrder(unassigned, 'cs_live_b1', 'error')).toBe((await waiting(testShop))[0]?.id);
    expect(await waiting(testShop)).toMatchObject([
      { problem: expect.stringContaining('snapshot payloads') },
    ]);
  });

  test('but is not a sale is logged for its organisation, and not stored without one', async () => {
    const testShop = await openTestShop();
    expect((await sendEvent(testShop, { session: { payment_status: 'unpaid' } })).json().status).toBe(
      'ignored',
    );
    expect((await log(testShop)).map(({ status }) => status)).toEqual(['ignored']);
    const answer = await sendEvent(testShop, { event: { account: 'acct_1', type: 'charge.refunded' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ received: true, deliveryId: null, status: 'ignored', deliveries: [] });
    expect(await waiting(testShop)).toEqual([]);
    expect(testShop.log.requests()[1]).toMatchObject({
      deliveryStatus: 'ignored',
      reason: expect.any(String),
    });
  });

  test('but cannot be read is answered with 400, and logged for the organisation or the service', async () => {
    const testShop = await openTestShop();
    await map(testShop, 'acct_1');
    const ofAccount = await sendEvent(testShop, { event: { account: 'acct_1', type: undefined } });
    const ofNobody = await sendEvent(testShop, { event: { type: undefined } });
    const body = Buffer.from('not an event');
    const headers = signForTest(SERVICE_SECRETS[0] ?? '', body, testShop.clock.now());
    const noJson = await testShop.app.inject({ method: 'POST', url: URL, payload: body, headers });
    for (const answer of [ofAccount, ofNobody, noJson]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    }
    // The second one names the shop in its metadata.
    expect((await log(testShop)).map(({ status }) => status)).toEqual(['error', 'error']);
    expect(testShop.log.requests()[2]).toMatchObject({
      status: 400,
      deliveryStatus: 'error',
      reason: expect.any(String),
    });
    expect(await waiting(testShop)).toEqual([]);
  });
});

describe('an event is rejected', () => {
  test('with one changed bit anywhere in the body', async ({ testShop }) => {
    const genuine = signEvent(testShop);
    for (let at = 0; at < genuine.payload.length; at += 37) {
      const payload = Buffer.from(genuine.payload);
      payload[at] = (payload[at] ?? 0) ^ 1;
      const answer = await testShop.app.inject({ method: 'POST', url: URL, ...genuine, payload });
      expect([at, answer.statusCode]).toEqual([at, 401]);
    }
    expect(await log(testShop)).toEqual([]);
  });

  test('when its timestamp is more than five minutes from our clock, either way', async ({ testShop }) => {
    const send = (seconds: number) =>
      sendEvent(testShop, { at: new Date(testShop.clock.now().getTime() + seconds * 1000) });
    expect((await send(-300)).statusCode).toBe(200);
    expect((await send(300)).statusCode).toBe(200);
    for (const seconds of [-301, 301]) {
      const answer = await send(seconds);
      expect([seconds, answer.statusCode, answer.json()]).toEqual([
        seconds,
        401,
        { error: expect.any(String) },
      ]);
    }
  });

  test('when an unknown secret, or an organisation’s own, has signed it', async ({ testShop }) => {
    // Such as a row of an earlier version might have left: it must open nothing.
    await testShop.stores.connections.replaceSecret({
      orgId: testShop.shop.orgId,
      platform: SHARED_PLATFORM,
      name: 'main',
      connectionId: testShop.ports.ids.next(),
      secretId: testShop.ports.ids.next(),
      secret: 'whsec_own',
      now: testShop.clock.now(),
      formerUntil: testShop.clock.now(),
    });
    for (const secret of ['whsec_own', 'whsec_other', '']) {
      expect([secret, (await sendEvent(testShop, { secret })).statusCode]).toEqual([secret, 401]);
    }
  });

  test('before a byte of it is read', async () => {
    let read = 0;
    const readTenantRef = () => {
      read += 1;
      return { kind: 'nobody', reason: 'Nobody.' } as const;
    };
    const sharedPlatform = { webhook: paymentsA, secrets: SERVICE_SECRETS, readTenantRef };
    const testShop = await openTestShop(undefined, { sharedPlatform });
    await sendEvent(testShop, { secret: 'whsec_other' });
    expect(read).toBe(0);
    await sendEvent(testShop);
    expect(read).toBe(1);
  });

  test('while the service has no secret', async () => {
    const sharedPlatform = {
      webhook: paymentsA,
      secrets: [],
      readTenantRef: () => ({ kind: 'nobody', reason: '' }) as const,
    };
    const testShop = await openTestShop(undefined, { sharedPlatform });
    const answer = await sendEvent(testShop);
    expect([answer.statusCode, answer.json().error]).toEqual([401, expect.stringMatching(/not set up/)]);
  });

  test('with 503 when it cannot be stored, so that it is sent again', async () => {
    const fail = async () => Promise.reject(new Error('disk full'));
    const testShop = await openTestShop(({ unassigned }) => ({
      unassigned: { ...unassigned, record: fail },
    }));
    const answer = await sendEvent(testShop, { event: { account: 'acct_1' } });
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
  });
});

test('each secret of the service verifies, under our header and the vendor’s', async ({ testShop }) => {
  for (const secret of SERVICE_SECRETS) {
    for (const header of ['payments-a-signature', 'stripe-signature']) {
      const { payload, headers } = signEvent(testShop, { secret });
      const [signature = ''] = Object.values(headers);
      const answer = await testShop.app.inject({
        method: 'POST',
        url: URL,
        payload,
        headers: { [header]: signature },
      });
      expect([secret, header, answer.statusCode]).toEqual([secret, header, 200]);
    }
  }
});

test('the address accepts only POST, and organisations have no address of their own', async () => {
  const testShop = await openTestShop();
  const wrong = await testShop.app.inject({ method: 'GET', url: URL });
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST']);
  const { payload, headers } = signEvent(testShop);
  const url = `/webhooks/${testShop.shop.orgId}/payments-a`;
  expect((await testShop.app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(404);
});

test('a buyer’s reference never selects a product or an organisation', async ({ testShop }) => {
  for (const reference of ['pads', testShop.shop.product.id, testShop.shop.orgId]) {
    const session = { client_reference_id: reference, metadata: { org_id: testShop.shop.orgId } };
    expect((await sendEvent(testShop, { session })).json().status).toBe('error');
    expect((await sendEvent(testShop, { session: { ...session, metadata: {} } })).json().status).toBe('held');
  }
});
