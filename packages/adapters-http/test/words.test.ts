import { expect, test } from 'vitest';
import { formatDuration, formatSize } from '../src/pages/words.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [6_400_000, '6.4 MB'],
  [99_940_000, '99.9 MB'],
  [123_456_789, '123 MB'],
  [999_960, '1 MB'],
  [999_500_000, '1 GB'],
  [3_100_000_000, '3.1 GB'],
  [12e12, '12 TB'],
])('formats %d bytes as %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});

const MINUTE = 60_000;
test.each([
  [48 * 60 * MINUTE, '48 hours'],
  [48 * 60 * MINUTE - 1, '48 hours'],
  [80 * MINUTE, '1 hour'],
  [59 * MINUTE, '59 minutes'],
  [MINUTE, '1 minute'],
  [1, '1 minute'],
])('formats %d ms as %s', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words);
});
