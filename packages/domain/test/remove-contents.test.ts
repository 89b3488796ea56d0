import { removeOldContents } from '@handover/domain';
import { createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';

const CONTENTS = ['a', 'b', 'c'].map((digit) => ({ orgId: 'org', sha256: digit.repeat(64) }));

/** Removes three contents that were claimed; each request to the file store takes so long. */
async function remove(tookMs: number) {
  const clock = createManualClock();
  const log: string[] = [];
  const removed = await removeOldContents(
    {
      clock,
      contents: {
        claim: async () => ({ count: CONTENTS.length, unreferenced: CONTENTS }),
        forget: async ({ sha256 }) => void log.push(`forget ${sha256[0]}`),
      },
      files: {
        remove: async (_orgId, sha256) => {
          log.push(`remove ${sha256[0]}`);
          clock.advance(tookMs);
        },
      },
    },
    30,
  );
  return { removed, log };
}

it('forgets each content after it was removed', async () => {
  expect(await remove(1)).toEqual({
    removed: 3,
    log: ['remove a', 'forget a', 'remove b', 'forget b', 'remove c', 'forget c'],
  });
});

it('removes nothing that was claimed a minute ago: it may be stored again', async () => {
  expect(await remove(60_000)).toEqual({
    removed: 2,
    log: ['remove a', 'forget a', 'remove b', 'forget b'],
  });
  expect(await remove(60_001)).toEqual({ removed: 1, log: ['remove a', 'forget a'] });
});
