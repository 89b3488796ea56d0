import { mapAccount, SHARED_PLATFORM } from '@handover/domain';
import { openShop } from '@handover/domain/testing';
import { paymentsA } from '@handover/platform-payments-a';
import { signForTest } from '@handover/platform-payments-a/testing';
import { describe, expect, test } from 'vitest';
import { openTestShop, SERVICE_SECRETS, type TestShop } from './open-test-shop.ts';
import { sendEvent, signEvent } from './send-event.ts';
import { expectOneOrder } from './send-webhook.ts';

const URL = '/webhooks/payments-a';
const ALL = { status: null, platform: null, before: null, limit: 9 };

const log = (it: TestShop, orgId = it.shop.orgId) => it.stores.deliveries.list(orgId, ALL);
const waiting = (it: TestShop) => it.stores.unassigned.list({ after: null, limit: 9 });

function map(it: TestShop, account: string, orgId = it.shop.orgId) {
  return mapAccount(it.ports, { orgId, account });
}

describe('an event that says whose it is', () => {
  test('in its metadata is fulfilled before the answer, which is that of every platform', async () => {
    const it = await openTestShop();
    const deliveryId = expectOneOrder(await sendEvent(it), 'cs_live_b1');
    expect((await it.stores.deliveries.find(it.shop.orgId, deliveryId))?.attempts).toBe(1);
    expect(await waiting(it)).toEqual([]);
    expect(it.log.requests()[0]).toMatchObject({
      orgId: it.shop.orgId,
      platform: SHARED_PLATFORM,
      deliveryId,
    });
  });

  test('by its account is the organisation’s that the account is mapped to, whatever its metadata says', async () => {
    const it = await openTestShop();
    const other = await openShop({ ...it.ports, stores: it.stores }, 'Other');
    await map(it, 'acct_1', other.orgId);
    await sendEvent(it, { event: { account: 'acct_1' } });
    expect([(await log(it)).length, (await log(it, other.orgId)).length]).toEqual([0, 1]);
  });

  test('by an account that nobody mapped waits, though its metadata names an organisation', async () => {
    const it = await openTestShop();
    const answer = await sendEvent(it, { event: { account: 'acct_1' } });
    const [entry] = await waiting(it);
    expect(expectOneOrder(answer, 'cs_live_b1', 'held')).toBe(entry?.id);
    expect(entry).toMatchObject({ account: 'acct_1', orgHint: null, orderId: 'cs_live_b1' });
    expect(await log(it)).toEqual([]);
    expect(it.log.requests()[0]).toMatchObject({
      status: 200,
      deliveryStatus: 'held',
      reason: expect.any(String),
    });
    expect(it.log.requests()[0]?.orgId).toBe(undefined);
  });

  test.each(['nobody', '018f0000-0000-7000-8000-000000000000', '%00', '../x', ' '])(
    'of an organisation that does not exist (%j) waits: it is never a 404',
    async (orgId) => {
      const it = await openTestShop();
      const answer = await sendEvent(it, { session: { metadata: { org_id: orgId, sku: 'pads' } } });
      expect([answer.statusCode, answer.json().status]).toEqual([200, 'held']);
      expect(await waiting(it)).toHaveLength(1);
    },
  );

  test('or to nobody is one entry, however often and under how many events it is sent', async () => {
    const it = await openTestShop();
    const send = (type?: string) =>
      sendEvent(it, { event: { account: 'acct_1', ...(type ? { type } : {}) } });
    const first = await send();
    expect((await send()).json()).toEqual(first.json());
    expect((await send('checkout.session.async_payment_succeeded')).json()).toEqual(first.json());
    expect(await waiting(it)).toHaveLength(1);
  });

  test('but is thin is an error that names the remedy, in its organisation’s log or for the operator', async () => {
    const it = await openTestShop();
    await map(it, 'acct_1');
    const thin = {
      object: 'v2.core.event',
      type: 'v1.checkout.session.completed',
      data: undefined,
      related_object: { id: 'cs_live_b1', type: 'checkout.session' },
    };
    const send = (context: string | null) => sendEvent(it, { event: { ...thin, context } });
    expectOneOrder(await send('acct_1'), 'cs_live_b1', 'error');
    expect(await log(it)).toMatchObject([
      { status: 'error', reason: expect.stringContaining('snapshot payloads') },
    ]);
    const unassigned = await send(null);
    expect((await send(null)).json()).toEqual(unassigned.json());
    expect(expectOneOrder(unassigned, 'cs_live_b1', 'error')).toBe((await waiting(it))[0]?.id);
    expect(await waiting(it)).toMatchObject([{ problem: expect.stringContaining('snapshot payloads') }]);
  });

  test('that is no sale is in the log of its organisation, but is not kept for nobody', async () => {
    const it = await openTestShop();
    expect((await sendEvent(it, { session: { payment_status: 'unpaid' } })).json().status).toBe('ignored');
    expect((await log(it)).map(({ status }) => status)).toEqual(['ignored']);
    const answer = await sendEvent(it, { event: { account: 'acct_1', type: 'charge.refunded' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ received: true, deliveryId: null, status: 'ignored', deliveries: [] });
    expect(await waiting(it)).toEqual([]);
    expect(it.log.requests()[1]).toMatchObject({ deliveryStatus: 'ignored', reason: expect.any(String) });
  });

  test('and cannot be read is 400, and in the log of the organisation or of the service', async () => {
    const it = await openTestShop();
    await map(it, 'acct_1');
    const ofAccount = await sendEvent(it, { event: { account: 'acct_1', type: undefined } });
    const ofNobody = await sendEvent(it, { event: { type: undefined } });
    const body = Buffer.from('not an event');
    const headers = signForTest(SERVICE_SECRETS[0] ?? '', body, it.clock.now());
    const noJson = await it.app.inject({ method: 'POST', url: URL, payload: body, headers });
    for (const answer of [ofAccount, ofNobody, noJson]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    }
    // The second one names the shop in its metadata.
    expect((await log(it)).map(({ status }) => status)).toEqual(['error', 'error']);
    expect(it.log.requests()[2]).toMatchObject({
      status: 400,
      deliveryStatus: 'error',
      reason: expect.any(String),
    });
    expect(await waiting(it)).toEqual([]);
  });
});

describe('an event is turned away', () => {
  test('with one bit of the body changed, wherever it is', async () => {
    const it = await openTestShop();
    const genuine = signEvent(it);
    for (let at = 0; at < genuine.payload.length; at += 37) {
      const payload = Buffer.from(genuine.payload);
      payload[at] = (payload[at] ?? 0) ^ 1;
      const answer = await it.app.inject({ method: 'POST', url: URL, ...genuine, payload });
      expect([at, answer.statusCode]).toEqual([at, 401]);
    }
    expect(await log(it)).toEqual([]);
  });

  test('when its stamp is more than five minutes away from our clock, either way', async () => {
    const it = await openTestShop();
    const send = (seconds: number) =>
      sendEvent(it, { at: new Date(it.clock.now().getTime() + seconds * 1000) });
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

  test('when a secret of nobody, or an organisation’s own, has signed it', async () => {
    const it = await openTestShop();
    // Such as a row of an earlier version might have left: it must open nothing.
    await it.stores.connections.replaceSecret({
      orgId: it.shop.orgId,
      platform: SHARED_PLATFORM,
      name: 'main',
      connectionId: it.ports.ids.next(),
      secretId: it.ports.ids.next(),
      secret: 'whsec_own',
      now: it.clock.now(),
      formerUntil: it.clock.now(),
    });
    for (const secret of ['whsec_own', 'whsec_other', '']) {
      expect([secret, (await sendEvent(it, { secret })).statusCode]).toEqual([secret, 401]);
    }
  });

  test('before a byte of it is read', async () => {
    let read = 0;
    const readTenantRef = () => {
      read += 1;
      return { kind: 'nobody', reason: 'Nobody.' } as const;
    };
    const sharedPlatform = { webhook: paymentsA, secrets: SERVICE_SECRETS, readTenantRef };
    const it = await openTestShop(undefined, { sharedPlatform });
    await sendEvent(it, { secret: 'whsec_other' });
    expect(read).toBe(0);
    await sendEvent(it);
    expect(read).toBe(1);
  });

  test('while the service has no secret', async () => {
    const sharedPlatform = {
      webhook: paymentsA,
      secrets: [],
      readTenantRef: () => ({ kind: 'nobody', reason: '' }) as const,
    };
    const it = await openTestShop(undefined, { sharedPlatform });
    const answer = await sendEvent(it);
    expect([answer.statusCode, answer.json().error]).toEqual([401, expect.stringMatching(/not set up/)]);
  });

  test('with 503 when it cannot be kept, so that it is sent again', async () => {
    const fail = async () => Promise.reject(new Error('disk full'));
    const it = await openTestShop(({ unassigned }) => ({ unassigned: { ...unassigned, record: fail } }));
    const answer = await sendEvent(it, { event: { account: 'acct_1' } });
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
  });
});

test('each secret of the service verifies, under our header and the vendor’s', async () => {
  const it = await openTestShop();
  for (const secret of SERVICE_SECRETS) {
    for (const header of ['payments-a-signature', 'stripe-signature']) {
      const { payload, headers } = signEvent(it, { secret });
      const [signature = ''] = Object.values(headers);
      const answer = await it.app.inject({
        method: 'POST',
        url: URL,
        payload,
        headers: { [header]: signature },
      });
      expect([secret, header, answer.statusCode]).toEqual([secret, header, 200]);
    }
  }
});

test('the address takes nothing but POST, and no organisation has one of its own', async () => {
  const it = await openTestShop();
  const wrong = await it.app.inject({ method: 'GET', url: URL });
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST']);
  const { payload, headers } = signEvent(it);
  const url = `/webhooks/${it.shop.orgId}/payments-a`;
  expect((await it.app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(404);
});

test('a buyer’s reference never chooses a product, nor an organisation', async () => {
  const it = await openTestShop();
  for (const reference of ['pads', it.shop.product.id, it.shop.orgId]) {
    const session = { client_reference_id: reference, metadata: { org_id: it.shop.orgId } };
    expect((await sendEvent(it, { session })).json().status).toBe('error');
    expect((await sendEvent(it, { session: { ...session, metadata: {} } })).json().status).toBe('held');
  }
});
