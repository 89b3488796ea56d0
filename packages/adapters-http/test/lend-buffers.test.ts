import { expect, test } from 'vitest';
import { createBufferLending, type LentBuffer } from '../src/customer/lend-buffers.ts';

const GIGABYTE = 1e9;
const SMALL = 65_536;
let now = 0;

/** What is lent for the last of so many chunks, each taken after this many milliseconds. */
function take(buffer: LentBuffer, chunks: number, afterMs: number): number {
  let lent = 0;
  for (let taken = 0; taken < chunks; taken += 1) {
    now += afterMs;
    lent = buffer.lend().length;
  }
  return lent;
}

function open(count: number): readonly LentBuffer[] {
  const lending = createBufferLending(() => now);
  return Array.from({ length: count }, () => lending(GIGABYTE));
}

test('a reader that takes everything at once gets a large buffer, once it took more than a system holds', () => {
  const [fast] = open(1);
  expect(fast && take(fast, 256, 1)).toBe(SMALL);
  expect(fast && take(fast, 2, 1)).toBe(8 * SMALL);
});

test('a reader that pauses gets a small one again, and must be fast as long as before', () => {
  const [reader] = open(1);
  if (!reader) throw new Error('There is no reader.');
  expect(take(reader, 300, 1)).toBe(8 * SMALL);
  expect(take(reader, 1, 500)).toBe(SMALL);
  expect(take(reader, 200, 1)).toBe(SMALL);
  expect(take(reader, 100, 1)).toBe(8 * SMALL);
});

test('slow readers, however much they take, and those of small files get small ones', () => {
  const [slow] = open(1);
  expect(slow && take(slow, 1000, 51)).toBe(SMALL);
  expect(createBufferLending(() => now)(5).lend().length).toBe(5);
});

test('of many fast readers only some get large ones, and the next one when another ends', () => {
  const readers = open(100);
  const lent = readers.map((reader) => take(reader, 300, 0.001));
  expect(lent.filter((bytes) => bytes > SMALL)).toHaveLength(32);
  const waiting = readers.at(-1);
  readers[0]?.end();
  readers[0]?.end();
  expect(waiting && take(waiting, 1, 0)).toBe(8 * SMALL);
  expect(readers[50] && take(readers[50], 1, 0)).toBe(SMALL);
});
