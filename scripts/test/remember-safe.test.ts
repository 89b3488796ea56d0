import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { undoLater } from '../../test/undo.ts';
import { rememberSafe } from './remember-safe.ts';

test('the next run knows the patterns of all runs before it', () => {
  const file = makePlace();
  for (const pattern of ['/a/', '/b/i']) {
    const remembered = rememberSafe(file);
    remembered.add(pattern);
    remembered.save();
  }
  expect(rememberSafe(file).patterns).toEqual(['/a/', '/b/i']);
});

test('nothing is known from a damaged file, nor without one', () => {
  const file = makePlace();
  expect(rememberSafe(file).patterns).toEqual([]);
  mkdirSync(dirname(file));
  writeFileSync(file, '["/a');
  expect(rememberSafe(file).patterns).toEqual([]);
});

function makePlace(): string {
  const directory = mkdtempSync(join(tmpdir(), 'handover-safe-patterns-'));
  undoLater(() => rmSync(directory, { recursive: true }));
  return join(directory, 'cache', 'patterns.json');
}
