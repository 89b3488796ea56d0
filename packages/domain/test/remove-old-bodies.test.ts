import { type Maintenance, removeOldBodies } from '@handover/domain';
import { createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';

it('old bodies are removed batch by batch, until a batch is not full', async () => {
  let left = 1003;
  const removeBodies: Maintenance['removeBodies'] = async (_before, limit) => {
    const removed = Math.min(limit, left);
    left -= removed;
    return removed;
  };
  const maintenance = { removeBodies } as Maintenance;
  expect(await removeOldBodies({ clock: createManualClock(), maintenance }, 180)).toBe(1003);
  expect(left).toBe(0);
});
