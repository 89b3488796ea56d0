import { removeOldContents } from '@handover/domain';
import { createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';

const CONTENTS = ['a', 'b', 'c'].map((digit) => ({ orgId: 'org', sha256: digit.repeat(64) }));

/** Removes three contents that were claimed; each request to the file store takes so long. */
async function remove(tookMs: number, refused = '') {
  const clock = createManualClock();
  const log: string[] = [];
  const removed = removeOldContents(
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
          if (sha256[0] === refused) throw new Error('Access denied');
        },
      },
    },
    30,
  );
  return { removed: await removed.catch((error: Error) => error.message), log };
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

it('removes the others where one cannot be removed, and then says so', async () => {
  expect(await remove(1, 'b')).toEqual({
    removed: '1 contents could not be removed; 2 others were.',
    log: ['remove a', 'forget a', 'remove b', 'remove c', 'forget c'],
  });
});
