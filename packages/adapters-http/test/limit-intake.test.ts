import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { signedSample } from '@handover/platform-storefront-a/testing';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { canRecordInTime, createIntakeLimit } from '../src/webhooks/limit-intake.ts';
import { openTestShop } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';
import { SALE, send } from './send-webhook.ts';

const SECOND = 1000;

describe('whether a request can be recorded in time', () => {
  test.each([
    ['nobody waits', { waiting: 0, recorded: 0, observedMs: 60_000 }, true],
    ['a burst has just begun', { waiting: 5000, recorded: 0, observedMs: 900 }, true],
    ['the database pauses for a moment', { waiting: 100, recorded: 0, observedMs: 2000 }, true],
    ['the database stands still', { waiting: 1, recorded: 0, observedMs: 2001 }, false],
    ['100 a second, 399 before it', { waiting: 399, recorded: 100, observedMs: 1000 }, true],
    ['100 a second, 400 before it', { waiting: 400, recorded: 100, observedMs: 1000 }, false],
    ['3 are stuck while others are recorded', { waiting: 3, recorded: 200, observedMs: 2000 }, true],
  ])('%s', (_name, load, expected) => {
    expect(canRecordInTime(load)).toBe(expected);
  });

  test('is never refused first and admitted with more waiting or fewer recorded', () => {
    const load = fc.record({
      waiting: fc.nat(10_000),
      recorded: fc.nat(10_000),
      observedMs: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(load, fc.nat(1000), fc.nat(1000), (before, more, fewer) => {
        const { waiting, recorded } = before;
        const after = { ...before, waiting: waiting + more, recorded: Math.max(0, recorded - fewer) };
        // From none to some, the time a standstill is given ends.
        fc.pre((after.recorded === 0) === (recorded === 0));
        if (!canRecordInTime(before)) expect(canRecordInTime(after)).toBe(false);
      }),
    );
  });

  test('bounds the time in which all admitted requests are recorded, at any steady rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1000, max: 2000 }),
        (perSecond, observedMs) => {
          const recorded = Math.floor((perSecond * observedMs) / SECOND);
          fc.pre(recorded > 0);
          let waiting = 1;
          while (waiting < 50_000 && canRecordInTime({ waiting, recorded, observedMs })) waiting += 1;
          expect((waiting / recorded) * observedMs).toBeLessThanOrEqual(4 * SECOND);
        },
      ),
    );
  });
});

/** An intake by a clock that the test moves, and recordings that end when the test says so. */
function openIntake() {
  let now = 0;
  const limit = createIntakeLimit(() => now);
  const recordings: (() => void)[] = [];
  const hold = () => new Promise<never>((resolve) => recordings.push(() => resolve(undefined as never)));
  const { deliveries } = limit.watch({
    deliveries: { record: hold } as never,
    unassigned: { record: hold } as never,
  } as Parameters<typeof limit.watch>[0]);
  return {
    limit,
    wait: (count: number) => {
      for (let more = 0; more < count; more += 1) void deliveries.record({} as never);
    },
    refund: (bytes: number) =>
      deliveries.record({ refunds: [{}], body: { bytes: { length: bytes } } } as never),
    record: async (count: number) => {
      for (const end of recordings.splice(0, count)) end();
      await new Promise(setImmediate);
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('the intake', () => {
  test('refuses once nothing was recorded for two seconds, and admits one every half second', () => {
    const { limit, wait, pass } = openIntake();
    wait(1);
    pass(2 * SECOND);
    expect([limit.admits(), limit.isStalled()]).toEqual([true, false]);
    pass(1);
    expect(limit.isStalled()).toBe(true);
    expect([limit.admits(), limit.admits()]).toEqual([true, false]);
    pass(499);
    expect(limit.admits()).toBe(false);
    pass(1);
    expect([limit.admits(), limit.admits()]).toEqual([true, false]);
  });

  test('uses the rate of the last seconds, and admits all again once it is fast enough', async () => {
    const { limit, wait, record, pass } = openIntake();
    wait(1000);
    for (let second = 0; second < 3; second += 1) {
      pass(SECOND);
      await record(100);
      limit.admits();
    }
    expect([limit.admits(), limit.admits()]).toEqual([false, false]);
    for (let second = 0; second < 2; second += 1) {
      pass(SECOND);
      await record(300);
      limit.admits();
    }
    expect([limit.admits(), limit.admits(), limit.isStalled()]).toEqual([true, true, false]);
  });

  test('admits others again when only one request was stuck', async () => {
    const { limit, wait, record, pass } = openIntake();
    wait(1);
    pass(3 * SECOND);
    expect([limit.admits(), limit.admits()]).toEqual([true, false]);
    for (let tries = 0; tries < 8; tries += 1) {
      pass(SECOND / 2);
      if (!limit.admits()) continue;
      wait(1);
      // Another organisation's: the first stays stuck.
      await record(1);
      wait(1);
    }
    expect([limit.admits(), limit.admits()]).toEqual([true, true]);
  });

  test('keeps no more than 32 MiB of bodies that wait for a lock', async () => {
    const { limit, refund, record } = openIntake();
    const waiting = Array.from({ length: 8 }, () => refund(4 * 1024 * 1024));
    await expect(refund(1)).rejects.toMatchObject({ code: 'contended' });
    expect(limit.admits()).toBe(true);
    await record(8);
    await Promise.all(waiting);
    const again = refund(1);
    await record(1);
    await again;
  });

  test('forgets its state when nothing waits any more', async () => {
    const { limit, wait, record, pass } = openIntake();
    wait(50);
    pass(10 * SECOND);
    expect(limit.isStalled()).toBe(true);
    await record(50);
    expect([limit.admits(), limit.isStalled()]).toEqual([true, false]);
  });
});

describe('webhooks beyond what can be recorded in time', () => {
  test('are refused with 503 and Retry-After, unread, and admitted once the others are recorded', async () => {
    const opened = Promise.withResolvers<void>();
    let began = 0;
    const testShop = await openTestShop(({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        record: async (recording) => {
          began += 1;
          await opened.promise;
          return deliveries.record(recording);
        },
      },
    }));
    const port = await listen(testShop.app);
    const clock = vi.spyOn(performance, 'now');
    try {
      const waiting = send(testShop);
      await vi.waitUntil(() => began === 1, WAIT_TIMEOUT_MS);
      expect((await testShop.app.inject('/readyz')).statusCode).toBe(200);
      const at = performance.now();
      clock.mockImplementation(() => at + 2100);
      // Somebody may always try.
      const trying = send(testShop);
      await vi.waitUntil(() => began === 2, WAIT_TIMEOUT_MS);

      const readiness = await testShop.app.inject('/readyz');
      expect([readiness.statusCode, readiness.json()]).toMatchObject([503, { status: 'overloaded' }]);
      const refused = await dial(port, [
        `POST /webhooks/${testShop.shop.orgId}/storefront-a HTTP/1.1`,
        'Host: x',
        'X-Storefront-A-Hmac-Sha256: x',
        'Content-Length: 1024',
      ]);
      // Nothing of the body has come.
      const [answer] = await once(refused, 'data');
      expect(String(answer)).toMatch(
        /^HTTP\/1\.1 503 [\s\S]*retry-after: \d+[\s\S]*"error":"[^"]*in a moment/i,
      );
      refused.destroy();

      opened.resolve();
      expect((await waiting).statusCode).toBe(200);
      expect((await trying).statusCode).toBe(200);
      expect((await send(testShop)).statusCode).toBe(200);
      expect((await testShop.app.inject('/readyz')).statusCode).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });

  test('do not include those of other shops while alerts or refunds of one wait for a lock', async () => {
    const opened = Promise.withResolvers<void>();
    let waiting = 0;
    const testShop = await openTestShop(({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        record: async (recording) => {
          if (!recording.alerts?.length) return deliveries.record(recording);
          waiting += 1;
          await opened.promise;
          return deliveries.record(recording);
        },
      },
    }));
    const sample = signedSample('test-secret', SALE);
    const body = Buffer.from('Not JSON.');
    const signature = createHmac('sha256', 'test-secret').update(body).digest('base64');
    const headers = { ...sample.headers, 'x-storefront-a-hmac-sha256': signature };
    const unreadable = { ...sample, body, headers };
    const begunAt = performance.now();
    const clock = vi.spyOn(performance, 'now');
    try {
      const stuck = [unreadable, unreadable].map((one) => send(testShop, one));
      await vi.waitUntil(() => waiting === 2, WAIT_TIMEOUT_MS);
      clock.mockImplementation(() => begunAt + 60_000);
      expect((await testShop.app.inject('/readyz')).json()).toMatchObject({ status: 'ready' });
      for (const _order of [1, 2, 3]) expect((await send(testShop)).statusCode).toBe(200);
      opened.resolve();
      for (const one of stuck) expect((await one).statusCode).toBe(400);
    } finally {
      clock.mockRestore();
    }
  });
});
