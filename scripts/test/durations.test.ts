import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { orderBySeconds } from '../../test/order-by-seconds.ts';

test('every file whose duration is known exists', () => {
  const durations: Record<string, number> = JSON.parse(readFileSync('test/durations.json', 'utf8'));
  expect(Object.keys(durations).filter((file) => !existsSync(file))).toEqual([]);
});

test('of each project the slowest files come first, in the order of the projects, and then the others as they were', () => {
  const files = ['db/a', 'db/slow', 'db/slower', 'unit/b', 'unit/a', 'unit/slow'];
  const seconds = { 'db/slow': 5, 'db/slower': 9, 'unit/slow': 7 };
  const ordered = orderBySeconds(files, {
    projectOf: (file) => file.split('/')[0] ?? '',
    secondsOf: (file) => new Map(Object.entries(seconds)).get(file) ?? 0,
  });
  expect(ordered).toEqual(['db/slower', 'db/slow', 'db/a', 'unit/slow', 'unit/b', 'unit/a']);
});
