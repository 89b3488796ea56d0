import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createElapsedTime } from '../src/clock/database-clock.ts';

/** More than the tolerated difference between two clocks. */
const BOUND_MS = 2_000;
const MINUTE = 60_000;

/** A machine whose monotonic clock stands still while it sleeps. */
function openMachine() {
  const clocks = { monotonic: 1_000, wall: Date.parse('2026-10-14T12:02:00Z'), uptime: 50_000 };
  const onGap = vi.fn();
  const pass = (milliseconds: number) => {
    clocks.wall += milliseconds;
    clocks.uptime += milliseconds;
  };
  const machine = {
    run: (milliseconds: number) => {
      pass(milliseconds);
      clocks.monotonic += milliseconds;
    },
    sleep: pass,
    setClock: (by: number) => {
      clocks.wall += by;
    },
  };
  const elapsed = createElapsedTime(
    { monotonic: () => clocks.monotonic, wall: () => clocks.wall, uptime: () => clocks.uptime },
    onGap,
  );
  return { ...machine, elapsed, onGap };
}

describe('the time that passes', () => {
  it('is counted by the monotonic clock while the machine runs, without a query', () => {
    const { run, elapsed, onGap } = openMachine();
    const before = elapsed();
    run(90 * MINUTE);
    expect(elapsed() - before).toBe(90 * MINUTE);
    expect(onGap).not.toHaveBeenCalled();
  });

  it('includes a sleep of the machine at the first reading after it, and reports it once', () => {
    const { run, sleep, elapsed, onGap } = openMachine();
    const before = elapsed();
    sleep(10 * MINUTE);
    expect(elapsed() - before).toBe(10 * MINUTE);
    run(1_000);
    expect(elapsed() - before).toBe(10 * MINUTE + 1_000);
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it.each([10 * MINUTE, -10 * MINUTE])('ignores changes of the wall clock: by %i ms', (by) => {
    const { setClock, elapsed, onGap } = openMachine();
    const before = elapsed();
    setClock(by);
    expect(elapsed()).toBe(before);
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it('never differs by more than the bound, for any history of the machine', () => {
    const step = fc.record({
      kind: fc.constantFrom('run', 'sleep', 'setClock'),
      by: fc.integer({ min: 0, max: 100 * MINUTE }),
      isBack: fc.boolean(),
      isAsked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const machine = openMachine();
        const before = machine.elapsed();
        let truth = 0;
        for (const { kind, by, isBack, isAsked } of steps) {
          if (kind === 'setClock') machine.setClock(isBack ? -by : by);
          if (kind === 'run') machine.run(by);
          if (kind === 'sleep') machine.sleep(by);
          if (kind !== 'setClock') truth += by;
          // Between two questions a clock that is set back may hide a sleep of the same length.
          if (isAsked || kind !== 'run') machine.elapsed();
        }
        const missed = truth - (machine.elapsed() - before);
        expect(missed).toBeGreaterThanOrEqual(0);
        expect(missed).toBeLessThanOrEqual(BOUND_MS);
      }),
    );
  });
});
