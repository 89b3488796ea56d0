import type { HttpPorts } from '@handover/adapters-http';
import { describe, expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { send } from './send-webhook.ts';

describe('fulfilment within the request', () => {
  test('never loses the delivery when it fails: 200, and the job continues', async () => {
    const fulfilment = {
      loadSnapshot: async () => Promise.reject(new Error('lost connection')),
      commit: neverCalled,
    };
    const testShop = await openTestShop(() => ({ fulfilment }));
    const answer = await send(testShop);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ received: true, status: 'pending' });
    expect((await testShop.stores.queuedJobs()).map(({ kind }) => kind)).toEqual(['fulfil-delivery']);
    expect(testShop.log.requests()[0]).toMatchObject({ level: 'warn', status: 200, fulfilment: 'failed' });
  });

  test('is left to the job after three seconds, when the answer is sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const testShop = await openTestShop((ports) => ({
        fulfilment: { ...ports.fulfilment, loadSnapshot: never },
      }));
      let answered = false;
      const sending = send(testShop).then((answer) => {
        answered = true;
        return answer;
      });
      // Each look advances the timers by its interval.
      const soon = { timeout: WAIT_TIMEOUT_MS, interval: 1 };
      await vi.waitUntil(async () => (await testShop.stores.queuedJobs()).length === 1, soon);
      await vi.advanceTimersByTimeAsync(2900);
      expect(answered).toBe(false);
      await vi.advanceTimersByTimeAsync(200);
      const answer = await sending;
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ received: true, status: 'pending' });
      expect(testShop.log.requests()[0]).toMatchObject({ fulfilment: 'too-slow' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('includes the time for recording in its three seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const opened = Promise.withResolvers<void>();
      const testShop = await openTestShop(({ deliveries, fulfilment }) => ({
        deliveries: {
          ...deliveries,
          record: async (recording) => opened.promise.then(() => deliveries.record(recording)),
        },
        fulfilment: { ...fulfilment, loadSnapshot: never },
      }));
      const sending = send(testShop);
      await vi.waitUntil(() => vi.getTimerCount() > 0, WAIT_TIMEOUT_MS);
      await vi.advanceTimersByTimeAsync(3100);
      opened.resolve();
      const answer = await sending;
      expect(answer.json()).toMatchObject({ received: true, status: 'pending' });
      expect(testShop.log.requests()[0]).toMatchObject({ fulfilment: 'too-slow' });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a database that does not answer', () => {
  const hanging: readonly [string, (ports: HttpPorts) => Partial<HttpPorts>][] = [
    ['when connections are read', ({ connections }) => ({ connections: { ...connections, list: never } })],
    ['when the delivery is recorded', ({ deliveries }) => ({ deliveries: { ...deliveries, record: never } })],
  ];

  test.each(hanging)('is unavailable: 503 within a second, %s', async (_name, hang) => {
    const testShop = await openTestShop((ports) => ({
      ...hang(ports),
      database: { answers: async () => false },
    }));
    const answer = await sendWithinASecond(testShop);
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('is unavailable too when the probe itself hangs', async () => {
    const testShop = await openTestShop((ports) => ({
      connections: { ...ports.connections, list: never },
      database: { answers: never },
    }));
    expect((await sendWithinASecond(testShop)).statusCode).toBe(503);
  });

  test('is only busy while it answers the probe, however long that takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const record = Promise.withResolvers<'recorded'>();
      const asked = vi.fn(async () => true);
      const testShop = await openTestShop((ports) => ({
        deliveries: { ...ports.deliveries, record: () => record.promise },
        database: { answers: asked },
      }));
      const sending = send(testShop);
      await vi.waitUntil(() => vi.getTimerCount() > 0, WAIT_TIMEOUT_MS);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(asked.mock.calls.length).toBeGreaterThan(10);
      record.resolve('recorded');
      expect((await sending).statusCode).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});

function never(): Promise<never> {
  return new Promise(() => undefined);
}

async function neverCalled(): Promise<never> {
  throw new Error('This must not be called.');
}

/** A second of the timers, however long the machine takes for it. Fails when that was not enough. */
async function sendWithinASecond(testShop: TestShop) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    const sending = send(testShop);
    await vi.waitUntil(() => vi.getTimerCount() > 0, WAIT_TIMEOUT_MS);
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
    return await sending;
  } finally {
    vi.useRealTimers();
  }
}
