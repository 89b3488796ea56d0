import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { isPressed, watchPressure } from '../src/composition/pressure.ts';

describe('pressure of a process', () => {
  it.each([
    ['webhooks wait, and it does nothing but work', 8, 1, true],
    ['webhooks wait, and it leaves PostgreSQL and their senders less than half', 8, 0.6, true],
    ['a burst waits for a slow database, and it has time', 1000, 0.5, false],
    ['it works on a few', 7, 1, false],
    ['nobody waits', 0, 1, false],
  ])('when %s?', (_name, waiting, utilization, expected) => {
    expect(isPressed({ waiting, utilization })).toBe(expected);
  });
});

it('is detected by the utilization of the event loop, while webhooks wait', async () => {
  let waiting = 8;
  const isPressedNow = watchPressure(() => waiting);
  const until = performance.now() + 1_000;
  // Never idle.
  while (!isPressedNow() && performance.now() < until) await nextRound();
  expect(isPressedNow()).toBe(true);
  waiting = 0;
  expect(isPressedNow()).toBe(false);
  waiting = 8;
  // This waits, and so is idle in between.
  await vi.waitFor(() => expect(isPressedNow()).toBe(false), WAIT_TIMEOUT_MS);
});
