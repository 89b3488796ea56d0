import type { ReceivedDelivery } from '@handover/domain';
import { HEAD_START_MS, recordDeliveries } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import { createCountingIds, createManualClock, makeOrder, sendsEmail } from '@handover/testkit';
import { describe, expect, it } from 'vitest';

const ORDER = makeOrder({ orgId: 'org', connection: { id: 'main' } });

async function record(
  content: ReceivedDelivery['content'],
  fulfilment: 'in-request' | 'in-background' = 'in-request',
) {
  const stores = createInMemoryStores();
  const ports = { clock: createManualClock(), ids: createCountingIds(), deliveries: stores.deliveries };
  const received = {
    orgId: 'org',
    platform: 'storefront-a',
    connectionId: 'main',
    receivedAt: ports.clock.now(),
    bytes: new Uint8Array(),
    headers: {},
    content,
  } as const;
  const recorded = await recordDeliveries(ports, received, fulfilment);
  const deliveries = recorded.kind === 'recorded' ? recorded.deliveries : [];
  return { deliveries, jobs: await stores.queuedJobs(), now: ports.clock.now() };
}

describe('a request is written into the log', () => {
  it('with an entry for each event of it, and a job for each order', async () => {
    const { deliveries, jobs } = await record({
      kind: 'translated',
      entries: [
        { kind: 'order', order: ORDER },
        { kind: 'ignored', orderId: '7', orderNumber: '#1252', reason: 'The order was refunded.' },
        { kind: 'error', orderId: null, reason: 'The order has no id.' },
      ],
    });
    expect(deliveries).toMatchObject([
      { orderId: '5001', status: 'pending', reason: null },
      { orderId: '7', orderNumber: '#1252', status: 'ignored', reason: 'The order was refunded.' },
      { orderId: null, status: 'error', reason: 'The order has no id.' },
    ]);
    expect(new Set(deliveries.map(({ bodyId }) => bodyId)).size).toBe(1);
    expect(jobs.filter((job) => !sendsEmail('alert')(job))).toMatchObject([
      { kind: 'fulfil-delivery', deliveryId: deliveries[0]?.id, attempts: 0 },
    ]);
  });

  it.each<[string, ReceivedDelivery['content'], object]>([
    [
      'that cannot be read as an error',
      { kind: 'unreadable', problem: 'The body is not JSON.' },
      { orderId: null, status: 'error', reason: 'The body is not JSON.' },
    ],
    [
      'that holds nothing as ignored',
      { kind: 'translated', entries: [] },
      { orderId: null, status: 'ignored', reason: 'The delivery holds no event.' },
    ],
  ])('%s, without a job to fulfil it', async (_case, content, expected) => {
    const { deliveries, jobs } = await record(content);
    expect(deliveries).toMatchObject([expected]);
    expect(jobs.filter((job) => !sendsEmail('alert')(job))).toEqual([]);
  });

  it('and leaves a head start to the request only where it fulfils the order itself', async () => {
    const content = { kind: 'translated', entries: [{ kind: 'order', order: ORDER }] } as const;
    const inRequest = await record(content, 'in-request');
    const inBackground = await record(content, 'in-background');
    expect(inRequest.jobs[0]?.startAfter).toEqual(new Date(inRequest.now.getTime() + HEAD_START_MS));
    expect(inBackground.jobs[0]?.startAfter).toEqual(inBackground.now);
  });
});

describe('a request that is recorded', () => {
  const received = (content: ReceivedDelivery['content']): ReceivedDelivery => ({
    orgId: 'org',
    platform: 'storefront-a',
    connectionId: 'main',
    receivedAt: new Date('2026-03-02T09:00:00.000Z'),
    bytes: new Uint8Array([123, 125]),
    headers: { topic: 'orders/paid' },
    content,
  });
  const THIN = { kind: 'error', orderId: '7', reason: 'It has no line.' } as const;

  /** Records it, and tells what was recorded. */
  async function recordOnce(delivery: ReceivedDelivery) {
    const stores = createInMemoryStores();
    const recordings: Parameters<typeof stores.deliveries.record>[0][] = [];
    const record = async (recording: Parameters<typeof stores.deliveries.record>[0]) => {
      recordings.push(recording);
      return stores.deliveries.record(recording);
    };
    const deliveries = { ...stores.deliveries, record };
    const ports = { clock: createManualClock(), ids: createCountingIds(), deliveries };
    const result = await recordDeliveries(ports, delivery, 'in-request');
    return { stores, result, alerts: recordings[0]?.alerts ?? [] };
  }

  it('is kept as it came', async () => {
    const { stores, result } = await recordOnce(received({ kind: 'unreadable', problem: 'No JSON.' }));
    const [entry] = result.kind === 'recorded' ? result.deliveries : [];
    expect((await stores.deliveries.find('org', entry?.id ?? ''))?.body).toEqual({
      id: entry?.bodyId,
      bytes: new Uint8Array([123, 125]),
      headers: { topic: 'orders/paid' },
    });
  });

  it('is an alert about its connection where it cannot be read', async () => {
    const { result, alerts } = await recordOnce(received({ kind: 'unreadable', problem: 'No JSON.' }));
    const [entry] = result.kind === 'recorded' ? result.deliveries : [];
    expect(alerts).toEqual([
      {
        orgId: 'org',
        cause: 'unreadable',
        about: 'unreadable main',
        subjectId: entry?.id,
        details: {
          deliveryId: entry?.id,
          platform: 'storefront-a',
          orderNumber: null,
          customerEmail: null,
          reason: 'No JSON.',
          at: new Date('2026-03-02T09:00:00.000Z'),
        },
      },
    ]);
  });

  it('is an alert about each order that nothing can be made of, or about its connection where none is named', async () => {
    const entries = [
      THIN,
      { ...THIN, orderId: null },
      { kind: 'ignored', orderId: '8', reason: 'No.' } as const,
    ];
    const { alerts } = await recordOnce(received({ kind: 'translated', entries }));
    expect(alerts).toMatchObject([
      { about: 'order main 7', details: { orderNumber: '7', reason: 'It has no line.' } },
      { about: 'unreadable main', details: { orderNumber: null, reason: 'It has no line.' } },
    ]);
  });

  it('is refused where somebody else has delivered it from the rejected', async () => {
    const gone = {
      ...received({ kind: 'translated', entries: [] }),
      rejected: { id: 'r', note: 'Rejected.' },
    };
    expect((await recordOnce(gone)).result).toEqual({
      kind: 'refused',
      reason: 'Someone else has delivered it meanwhile.',
    });
  });
});
