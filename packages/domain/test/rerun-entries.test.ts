import { type ActivityEntry, MAX_RERUN, rerunEntries, type SeenEntry } from '@handover/domain';
import { createCountingIds, createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';

it('runs as many entries again as one form may hold, each with its entry in the activity log', async () => {
  const clock = createManualClock();
  const ids = createCountingIds();
  const asked: { seen: readonly SeenEntry[]; entries: readonly ActivityEntry[] }[] = [];
  const openDeliveries = {
    rerunAll: async (_: string, seen: readonly SeenEntry[], entries: readonly ActivityEntry[]) => {
      asked.push({ seen, entries });
      return seen.map(({ deliveryId }) => deliveryId);
    },
  };
  const seen = Array.from({ length: MAX_RERUN + 1 }, () => ({ deliveryId: ids.next(), attempts: 2 }));
  const by = { actor: 'jana@example.com', via: 'dashboard' } as const;
  expect(await rerunEntries({ clock, ids, openDeliveries }, 'o', seen, by)).toBe(MAX_RERUN);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.seen).toEqual(seen.slice(0, MAX_RERUN));
  expect(asked[0]?.entries.map(({ subjectId }) => subjectId)).toEqual(
    seen.slice(0, MAX_RERUN).map(({ deliveryId }) => deliveryId),
  );
  expect(asked[0]?.entries[0]).toMatchObject({
    ...by,
    at: clock.now(),
    kind: 'delivery-redelivered',
    summary: 'The order is processed again, with others.',
  });
});
