import { expect, it } from 'vitest';
import { findMissing } from '../src/coverage.ts';
import { playSeeds, WAIT_TIMEOUT_MS } from './play-seeds.ts';

// With the other file of this name, the 2,000 histories of each run: two files, so that two cores can share them.

it(
  'breaks no rule in the first 1,000 histories, and covers everything',
  async () => {
    const counts = await playSeeds(1, 1000);
    expect(findMissing(counts)).toEqual([]);
  },
  WAIT_TIMEOUT_MS,
);
