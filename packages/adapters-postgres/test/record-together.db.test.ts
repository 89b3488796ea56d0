import type { DeliveryRecording, Job, Proof } from '@handover/domain';
import pg from 'pg';
import { beforeEach, expect, it, vi } from 'vitest';
import { createJobQueue, createPostgresStores } from '../src/index.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { clock, count, ids, opened, openShopAnew, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

/** A request with one order, unlike any other, as the domain asks to record it. */
function makeRecording(changes: Partial<DeliveryRecording> = {}): DeliveryRecording {
  const text = ids.next();
  const delivery = {
    id: ids.next(),
    orgId: shop.orgId,
    platform: 'storefront-a',
    connectionId: shop.connection.id,
    bodyId: ids.next(),
    orderId: text,
    orderNumber: null,
    normalizedEmail: null,
    receivedAt: clock.now(),
    status: 'pending',
    reason: null,
    note: null,
  } as const;
  const { id: deliveryId, orgId } = delivery;
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
  const log = { warn: () => undefined, error: () => undefined };
  const jobs = createJobQueue({ url: opened.url, log, clock });
  const ran: string[] = [];
  await jobs.start({
    ...IDLE_HANDLERS,
    'fulfil-delivery': async ({ deliveryId }) => {
      ran.push(deliveryId);
      return new Promise(() => undefined);
    },
  });
  const secretBox = {
    seal: (plain: string) => plain,
    unseal: (sealed: string) => sealed,
    holds: () => false,
  };
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

it('records batches that raise the same alerts in opposite sequences at once', async () => {
  const alertsOf = (numbers: readonly number[]) =>
    numbers.map((number) => ({
      ...{ orgId: shop.orgId, cause: 'unreadable' as const, about: `order ${number}`, subjectId: ids.next() },
      details: {
        ...{ deliveryId: null, platform: null, orderNumber: `${number}`, customerEmail: null },
        ...{ reason: 'It names no product.', at: clock.now() },
      },
    }));
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const recordings = Array.from({ length: 6 }, (_, at) =>
    makeRecording({ alerts: alertsOf(at % 2 === 0 ? numbers : numbers.toReversed()) }),
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
