import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { undoLater } from '../../test/undo.ts';
import { rememberSafe } from './remember-safe.ts';

test('the next run knows the patterns that the last one kept', () => {
  const file = makePlace();
  rememberSafe(file, {}).save(['/b/i', '/a/', '/b/i']);
  expect(rememberSafe(file).patterns).toEqual(['/a/', '/b/i']);
  rememberSafe(file, {}).save(['/b/i', '/c/']);
  expect(rememberSafe(file).patterns).toEqual(['/b/i', '/c/']);
});

test('CI keeps none, as nobody commits them there', () => {
  const file = makePlace();
  rememberSafe(file, { CI: 'true' }).save(['/a/']);
  expect(rememberSafe(file).patterns).toEqual([]);
});

test('nothing is known from another version of the checker, from a damaged file, nor without one', () => {
  const file = makePlace();
  expect(rememberSafe(file).patterns).toEqual([]);
  rememberSafe(file, {}).save(['/a/']);
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...kept, recheck: '0.0.1' }));
  expect(rememberSafe(file).patterns).toEqual([]);
  writeFileSync(file, '{"safe":["/a');
  expect(rememberSafe(file).patterns).toEqual([]);
});

function makePlace(): string {
  const directory = mkdtempSync(join(tmpdir(), 'handover-safe-patterns-'));
  undoLater(() => rmSync(directory, { recursive: true }));
  return join(directory, 'patterns.json');
}
