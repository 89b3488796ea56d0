import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolderIn, removeAbandoned } from '../../test/memory-folder.ts';

it('uses the disk where no folder can be made in memory', () => {
  const memory = join(makeMemory(), 'away');
  expect(makeFolderIn(memory)).toBeNull();
});

it('removes the folders of runs that have ended, and no other', () => {
  const memory = makeMemory();
  // Process ids end far below.
  const ended = join(memory, 'handover-test-memory-999999999-abcdef');
  const running = join(memory, `handover-test-memory-${process.pid}-abcdef`);
  const foreign = join(memory, 'something-else');
  for (const folder of [ended, running, foreign]) mkdirSync(folder);
  removeAbandoned(memory);
  expect([ended, running, foreign].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});

it('leaves a folder that it cannot remove', () => {
  const memory = makeMemory();
  const foreign = join(memory, 'handover-test-memory-999999999-abcdef');
  mkdirSync(foreign);
  expect(() => removeAbandoned(memory, () => refuse())).not.toThrow();
  expect(existsSync(foreign)).toBe(true);
});

function refuse(): never {
  throw new Error('EACCES: permission denied');
}

function makeMemory(): string {
  const memory = mkdtempSync(join(tmpdir(), 'memory-'));
  onTestFinished(() => rmSync(memory, { recursive: true }));
  return memory;
}
