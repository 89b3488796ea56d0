import type { ReceivedDelivery } from '@handover/domain';
import { HEAD_START_MS, recordDeliveries } from '@handover/domain';
import {
  createCountingIds,
  createInMemoryStores,
  createManualClock,
  makeOrder,
} from '@handover/domain/testing';
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
        { kind: 'ignored', orderId: '7', reason: 'The order was refunded.' },
        { kind: 'error', orderId: null, reason: 'The order has no id.' },
      ],
    });
    expect(deliveries).toMatchObject([
      { orderId: '5001', status: 'pending', reason: null },
      { orderId: '7', status: 'ignored', reason: 'The order was refunded.' },
      { orderId: null, status: 'error', reason: 'The order has no id.' },
    ]);
    expect(new Set(deliveries.map(({ bodyId }) => bodyId)).size).toBe(1);
    expect(jobs).toMatchObject([{ kind: 'fulfil-delivery', deliveryId: deliveries[0]?.id, attempts: 0 }]);
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
    expect(jobs.filter(({ kind }) => kind !== 'send-alerts')).toEqual([]);
  });

  it('and leaves a head start to the request only where it fulfils the order itself', async () => {
    const content = { kind: 'translated', entries: [{ kind: 'order', order: ORDER }] } as const;
    const inRequest = await record(content, 'in-request');
    const inBackground = await record(content, 'in-background');
    expect(inRequest.jobs[0]?.startAfter).toEqual(new Date(inRequest.now.getTime() + HEAD_START_MS));
    expect(inBackground.jobs[0]?.startAfter).toEqual(inBackground.now);
  });
});
