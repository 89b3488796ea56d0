import { expect, it } from 'vitest';
import { describeFault, planFaults } from '../plan-faults.ts';

const limits = { longestFreezeMs: 60_000, canFillDisk: true };

it('plans the same faults for the same seed, and others for another', () => {
  expect(planFaults(7, 100, limits)).toEqual(planFaults(7, 100, limits));
  expect(planFaults(7, 100, limits)).not.toEqual(planFaults(8, 100, limits));
});

it('plans every kind of fault within fourteen, and describes each in a sentence', () => {
  const planned = planFaults(1, 14, limits).map(({ fault }) => fault);
  expect(new Set(planned.map(({ kind }) => kind))).toEqual(
    new Set(['kill', 'freeze', 'clock-jumps', 'database-stops', 'disk-full', 'network', 'mail-server']),
  );
  for (const fault of planned) expect(describeFault(fault)).toMatch(/ s\b/);
});

it('fills no disk if there is none, and freezes no process for longer than the maximum', () => {
  const planned = planFaults(1, 500, { longestFreezeMs: 5_000, canFillDisk: false });
  expect(planned.filter(({ fault }) => fault.kind === 'disk-full')).toEqual([]);
  const freezes = planned.filter(({ fault }) => fault.kind === 'freeze');
  expect(Math.max(...freezes.map(({ fault }) => fault.ms))).toBe(5_000);
});
