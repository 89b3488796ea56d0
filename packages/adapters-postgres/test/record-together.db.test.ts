import { setTimeout } from 'node:timers/promises';
import type { Alert, DeliveryRecording, Job, Proof } from '@handover/domain';
import { openShop, type Shop } from '@handover/testkit';
import pg from 'pg';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createJobQueue, createPostgresStores, openDatabase } from '../src/index.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { WAITING } from './while-locked.ts';

openShopAnew(beforeEach);

const log = { warn: () => undefined, error: () => undefined };
const secretBox = {
  seal: (plain: string) => plain,
  unseal: (sealed: string) => sealed,
  holds: () => false,
};

/** A request with one order, unlike any other, as the domain asks to record it. */
function makeRecording(
  changes: Partial<DeliveryRecording> = {},
  { orgId, connection }: Pick<Shop, 'orgId' | 'connection'> = shop,
): DeliveryRecording {
  const text = ids.next();
  const delivery = {
    id: ids.next(),
    orgId,
    platform: 'storefront-a',
    connectionId: connection.id,
    bodyId: ids.next(),
    orderId: text,
    orderNumber: null,
    normalizedEmail: null,
    receivedAt: clock.now(),
    status: 'pending',
    reason: null,
    note: null,
  } as const;
  const { id: deliveryId } = delivery;
  const job: Job = { kind: 'fulfil-delivery', orgId, deliveryId, attempts: 0, startAfter: clock.now() };
  return {
    orgId,
    body: { id: delivery.bodyId, bytes: new TextEncoder().encode(`…${text}`), headers: { 'x-text': text } },
    deliveries: [delivery],
    jobs: [job],
    proof: null,
    rejectedId: null,
    ...changes,
  };
}

function record(recordings: readonly DeliveryRecording[]) {
  return Promise.all(recordings.map((recording) => opened.storesOfOne.deliveries.record(recording)));
}

it('writes concurrent requests by one statement, each with its own body, headers, entry and job', async () => {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const recordings = Array.from({ length: 100 }, () => makeRecording());
  expect(new Set(await record(recordings))).toEqual(new Set(['recorded']));
  const statements = asked.mock.calls.length;
  asked.mockRestore();
  expect(statements).toBe(1);
  expect(await opened.queuedJobs()).toHaveLength(100);
  for (const { body, deliveries } of recordings) {
    const [{ id, orderId } = { id: '', orderId: '' }] = deliveries;
    const stored = await opened.stores.deliveries.find(shop.orgId, id);
    expect(stored?.orderId).toBe(orderId);
    expect(Buffer.from(stored?.body?.bytes ?? []).toString()).toBe(Buffer.from(body.bytes).toString());
    expect(stored?.body?.headers).toEqual(body.headers);
  }
});

it('runs the jobs of recorded orders without a look for them, and forgets those that were not recorded', async () => {
  const jobs = createJobQueue({ url: opened.url, log, clock });
  const ran: string[] = [];
  await jobs.start({
    ...IDLE_HANDLERS,
    'fulfil-delivery': async ({ deliveryId }) => {
      ran.push(deliveryId);
      return new Promise(() => undefined);
    },
  });
  const { deliveries } = createPostgresStores({ database: opened.database, jobs, secretBox });
  const [first, second, third] = [makeRecording(), makeRecording(), makeRecording()];
  const later = { ...third.jobs[0], startAfter: new Date('2100-01-01') } as Job;
  const [delivery] = makeRecording().deliveries;
  const ofNoConnection = makeRecording({
    deliveries: delivery ? [{ ...delivery, connectionId: ids.next() }] : [],
  });
  const answers = await Promise.allSettled(
    [first, second, { ...third, jobs: [later] }, ofNoConnection].map((one) => deliveries.record(one)),
  );
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  const due = [first, second].flatMap((one) => one.deliveries.map(({ id }) => id));
  expect(ran.toSorted()).toEqual(due.toSorted());
  expect(await count('jobs where lease_id is not null')).toBe(2);
  await jobs.stop({ withinMs: 0 });
});

it('refuses one whose proof came before with another body, and records the others', async () => {
  const proof = (bodySha256: string, kind: 'note' | 'refuse'): Proof => ({
    fingerprint: 'a'.repeat(64),
    bodySha256: bodySha256.repeat(64),
    whenReused: kind === 'note' ? { kind, note: 'Seen before.' } : { kind, reason: 'Seen before.' },
  });
  await record([makeRecording({ proof: proof('1', 'refuse') })]);
  const [refused, noted] = [
    makeRecording({ proof: proof('2', 'refuse') }),
    makeRecording({ proof: proof('3', 'note') }),
  ];
  const wanted = [
    makeRecording(),
    refused,
    makeRecording(),
    noted,
    makeRecording({ proof: proof('1', 'refuse') }),
  ];
  expect(await record(wanted)).toEqual(['recorded', 'reused', 'recorded', 'reused', 'recorded']);
  const idOf = ({ deliveries }: DeliveryRecording) => deliveries[0]?.id ?? '';
  expect(await opened.stores.deliveries.find(shop.orgId, idOf(refused))).toBe(null);
  expect(await opened.stores.deliveries.find(shop.orgId, idOf(noted))).toMatchObject({
    note: 'Seen before.',
  });
  expect(await count('deliveries')).toBe(5);
  expect(await opened.queuedJobs()).toHaveLength(5);
});

it('lets one be first of many bodies that come to several processes at once with one proof', async () => {
  const whenReused = { kind: 'refuse', reason: 'Seen before.' } as const;
  const fingerprint = 'a'.repeat(64);
  const recordings = ['1', '2', '3', '4', '5', '6'].map((digit) =>
    makeRecording({ proof: { fingerprint, bodySha256: digit.repeat(64), whenReused } }),
  );
  const outcomes = await Promise.all(recordings.map((one) => opened.stores.deliveries.record(one)));
  expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
  expect(await count('deliveries')).toBe(1);
});

const alertOf = (number: number, { orgId }: Pick<Shop, 'orgId'> = shop): Alert => ({
  ...{ orgId, cause: 'unreadable', about: `order ${number}`, subjectId: ids.next() },
  details: {
    ...{ deliveryId: null, platform: null, orderNumber: `${number}`, customerEmail: null },
    ...{ reason: 'It names no product.', at: clock.now() },
  },
});

it('records batches that raise the same alerts in opposite sequences at once', async () => {
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const recordings = Array.from({ length: 6 }, (_, at) =>
    makeRecording({ alerts: (at % 2 === 0 ? numbers : numbers.toReversed()).map((one) => alertOf(one)) }),
  );
  const outcomes = await Promise.all(recordings.map((one) => opened.stores.deliveries.record(one)));
  expect(new Set(outcomes)).toEqual(new Set(['recorded']));
  expect(await count('alerts')).toBe(50);
});

it('lets a request that cannot be recorded fail alone', async () => {
  const { id } = shop.connection;
  const recordings = [makeRecording(), makeRecording(), makeRecording(), makeRecording()];
  const [, , bad] = recordings;
  const broken = {
    ...bad,
    deliveries: bad?.deliveries.map((entry) => ({ ...entry, connectionId: ids.next() })),
  };
  const wanted = recordings.map((one) => (one === bad ? (broken as DeliveryRecording) : one));
  const outcomes = await Promise.allSettled(wanted.map((one) => opened.storesOfOne.deliveries.record(one)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await count(`deliveries where connection_id = '${id}'`)).toBe(3);
  expect([await count('delivery_bodies'), (await opened.queuedJobs()).length]).toEqual([3, 3]);
});

it('does not hold more than a few megabytes in one statement', async () => {
  const bytes = new Uint8Array(3 * 1024 * 1024).fill(97);
  const recordings = Array.from({ length: 4 }, () => {
    const recording = makeRecording();
    return { ...recording, body: { ...recording.body, bytes } };
  });
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  await record(recordings);
  const statements = asked.mock.calls.length;
  asked.mockRestore();
  expect(statements).toBe(4);
});

it('raises an alert again when several unreadable requests are recorded together after the former ones were resolved', async () => {
  const unreadable = (): DeliveryRecording => {
    const recording = makeRecording({ jobs: [] });
    const deliveries = recording.deliveries.map((entry) => ({
      ...{ ...entry, orderId: null, status: 'error' as const, reason: 'Not JSON.' },
    }));
    const alert = {
      ...alertOf(0),
      about: `unreadable ${shop.connection.id}`,
      subjectId: deliveries[0]?.id ?? '',
    };
    const details = { ...alert.details, deliveryId: alert.subjectId };
    return { ...recording, deliveries, alerts: [{ ...alert, details }] };
  };
  await record([unreadable()]);
  await opened.database.pool.query(
    `update outgoing_emails set status = 'sent', subject = null, last_answer_at = pending_since`,
  );
  await opened.database.pool.query(`update deliveries set status = 'ignored'`);
  const [first, second] = [unreadable(), unreadable()];
  await record([first, second]);
  const { rows } = await opened.database.pool.query('select subject_id as id from alerts');
  expect(rows).toEqual(first.deliveries.map(({ id }) => ({ id })));
});

it('records the orders of other shops while many alerts of one wait for its mail of alerts', async () => {
  const other = await openShop(ports(), 'Other Audio');
  await record([makeRecording({ alerts: [alertOf(0)] })]);
  const database = openDatabase({ url: opened.url, limits: LIMITS.accepting, log });
  const { deliveries } = createPostgresStores({ database, jobs: opened.queue, secretBox });
  // Without the time limits of our own connections.
  const closing = new pg.Client({ connectionString: opened.url });
  await closing.connect();
  await closing.query("begin; select from outgoing_emails where kind = 'alert' for update");
  const begunAt = performance.now();
  const recording = Array.from({ length: 3 * LIMITS.accepting.maxConnections }, (_, at) =>
    deliveries.record(makeRecording({ alerts: [alertOf(1 + at)] })),
  );
  const ended = Promise.allSettled(recording);
  try {
    await vi.waitUntil(async () => {
      return (await count(WAITING)) > 0;
    }, WAIT_TIMEOUT_MS);
    const whileTheyWait = [other, shop].map((of) => deliveries.record(makeRecording({}, of)));
    expect(await Promise.all(whileTheyWait)).toEqual(['recorded', 'recorded']);
    expect(performance.now() - begunAt).toBeLessThan(LIMITS.accepting.lockMs);
  } finally {
    await closing.end();
    await ended;
    await database.close();
  }
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
});

it('uses no more connections for the alerts of two shops when they wait longer than a lock may take', async () => {
  const floods = [shop, await openShop(ports(), 'Other Audio')];
  const limits = { ...LIMITS.accepting, lockMs: 200 };
  const database = openDatabase({ url: opened.url, limits, log });
  const { deliveries } = createPostgresStores({ database, jobs: opened.queue, secretBox });
  const recordAlert = (of: Shop, number: number) =>
    deliveries.record(makeRecording({ alerts: [alertOf(number, of)] }, of));
  await Promise.all(floods.map((of) => recordAlert(of, 0)));
  const closing = new pg.Client({ connectionString: opened.url });
  await closing.connect();
  await closing.query("begin; select from outgoing_emails where kind = 'alert' for update");
  const recording: Promise<unknown>[] = [];
  const waiting = new Set<number>();
  for (let number = 1; number <= 60; number += 1) {
    recording.push(...floods.map((of) => recordAlert(of, number).catch(() => undefined)));
    await setTimeout(20);
    waiting.add(await count(WAITING));
  }
  await closing.end();
  await Promise.all(recording);
  await database.close();
  expect(Math.max(...waiting)).toBe(2);
});

it('keeps the earliest of refunds of one order that are recorded together, and raises no alert of a refused request', async () => {
  const refundAt = (minute: number) => ({
    ...{ connectionId: shop.connection.id, namedBy: 'id' as const, order: '5001', deliveryId: ids.next() },
    at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  });
  const proof = (digit: string): Proof => ({
    ...{ fingerprint: 'a'.repeat(64), bodySha256: digit.repeat(64) },
    whenReused: { kind: 'refuse', reason: 'Seen before.' },
  });
  const outcomes = await record([
    makeRecording({ refunds: [refundAt(2)] }),
    makeRecording({ refunds: [refundAt(1)] }),
    makeRecording({ proof: proof('1'), alerts: [alertOf(1)] }),
    makeRecording({ proof: proof('2'), alerts: [alertOf(2)] }),
  ]);
  expect(outcomes).toEqual(['recorded', 'recorded', 'recorded', 'reused']);
  const { rows } = await opened.database.pool.query('select at from refunds');
  expect(rows).toEqual([{ at: refundAt(1).at }]);
  expect(await count("alerts where about = 'order 1'")).toBe(1);
  expect(await count('alerts')).toBe(1);
  expect(await count('deliveries')).toBe(3);
});
