import { createManualClock } from '@handover/testkit';
import { describe, expect } from 'vitest';
import type { HttpPorts } from '../src/index.ts';
import { createBoundedMap, createRefusalThrottle, MAX_REFUSALS } from '../src/webhooks/throttle-refused.ts';
import { ATTACKER } from './flood-webhooks.ts';
import type { TestShop } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

test('are not even counted once they are throttled', async ({ testShop }) => {
  const unlessThrottled = createRefusalThrottle(testShop.ports);
  const send = (orgId: string) =>
    unlessThrottled(orgId, ATTACKER, async () => ({ kind: 'unknown-organisation' }));
  for (let at = 0; at < MAX_REFUSALS; at += 1) await send(`org-${at}`);
  expect(await send('another')).toMatchObject({ kind: 'throttled', noted: 'not' });
});

test('are not exempt for ids that were invented while the database was away', async ({ testShop }) => {
  const unlessThrottled = createRefusalThrottle(testShop.ports);
  const send = (orgId: string, kind: 'not-recorded' | 'unknown-organisation') =>
    unlessThrottled(orgId, ATTACKER, async () => ({ kind }));
  await send('invented', 'not-recorded');
  for (let at = 0; at < MAX_REFUSALS; at += 1) await send(`org-${at}`, 'unknown-organisation');
  expect((await send('invented', 'unknown-organisation')).kind).toBe('throttled');
});

test('are throttled again after the database, which knows who is genuine, was away', async ({ testShop }) => {
  let isAway = true;
  const throttles: HttpPorts['throttles'] = {
    ...testShop.stores.throttles,
    find: (...asked) =>
      isAway ? Promise.reject(new Error('away')) : testShop.stores.throttles.find(...asked),
  };
  const unlessThrottled = createRefusalThrottle({ ...testShop.ports, throttles });
  const send = () => unlessThrottled('org', ATTACKER, async () => ({ kind: 'refused' }));
  for (let at = 0; at < MAX_REFUSALS; at += 1) await send();
  expect((await send()).kind).toBe('refused');
  isAway = false;
  expect((await send()).kind).toBe('throttled');
});

describe('several processes on one database', () => {
  const refused = async () => ({ kind: 'refused' }) as const;

  function openProcesses(testShop: TestShop) {
    const open = () => createRefusalThrottle({ ...testShop.ports, clock: testShop.clock });
    return [open(), open()] as const;
  }

  test('count together', async ({ testShop }) => {
    const [one, other] = openProcesses(testShop);
    for (let at = 0; at < MAX_REFUSALS; at += 1) await one('org', ATTACKER, refused);
    // The second one learns of it with the first refusal of its own.
    expect((await other('org', ATTACKER, refused)).kind).toBe('refused');
    expect((await other('org', ATTACKER, refused)).kind).toBe('throttled');
  });

  test('exempt a network that sent something genuine to another process', async ({ testShop }) => {
    const [one, other] = openProcesses(testShop);
    await one('org', ATTACKER, async () => ({ kind: 'recorded' }));
    for (let at = 0; at < MAX_REFUSALS + 5; at += 1)
      expect((await other('org', ATTACKER, refused)).kind).toBe('refused');
  });

  test('write a flood in a few statements', async ({ testShop }) => {
    const slow = Promise.withResolvers<void>();
    let writes = 0;
    const throttles: HttpPorts['throttles'] = {
      ...testShop.stores.throttles,
      count: async (...tries) => {
        writes += 1;
        await slow.promise;
        return testShop.stores.throttles.count(...tries);
      },
    };
    const unlessThrottled = createRefusalThrottle({ ...testShop.ports, throttles });
    const flood = Array.from({ length: 80 }, () => unlessThrottled('org', ATTACKER, refused));
    slow.resolve();
    await Promise.all(flood);
    await unlessThrottled('org', ATTACKER, refused);
    expect(writes).toBe(2);
    const counted = await testShop.stores.throttles.find(
      'refused org from 203.0.113.7',
      testShop.clock.now(),
    );
    expect(counted?.tries).toBe(81);
  });

  test('continue to count after a failed write', async ({ testShop }) => {
    let fails = true;
    const throttles: HttpPorts['throttles'] = {
      ...testShop.stores.throttles,
      count: (...tries) =>
        fails ? Promise.reject(new Error('away')) : testShop.stores.throttles.count(...tries),
    };
    const unlessThrottled = createRefusalThrottle({ ...testShop.ports, throttles });
    for (let at = 0; at < 3; at += 1) await unlessThrottled('org', ATTACKER, refused);
    fails = false;
    await unlessThrottled('org', ATTACKER, refused);
    const counted = await testShop.stores.throttles.find(
      'refused org from 203.0.113.7',
      createManualClock().now(),
    );
    expect(counted?.tries).toBe(4);
  });
});

describe('the memory of a process', () => {
  test('is bounded, and evicts the least recently used entries', () => {
    const remembered = createBoundedMap<number>(3);
    for (const key of ['a', 'b', 'c']) remembered.set(key, 1);
    remembered.get('a');
    for (const key of ['d', 'e']) remembered.set(key, 1);
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => remembered.get(key))).toEqual(['a', 'd', 'e']);
    for (let at = 0; at < 1000; at += 1) remembered.set(`${at}`, 1);
    expect(remembered.size()).toBe(3);
  });
});
