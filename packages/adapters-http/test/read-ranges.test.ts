import type { ByteRange } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_PARTS, readRanges } from '../src/customer/evaluate-file-request.ts';

describe('a Range header', () => {
  // The examples of RFC 9110, section 14.1.2, of a representation of 10,000 bytes, and what stands around them.
  test.each<[string | undefined, number, ReturnType<typeof readRanges>]>([
    ['bytes=0-499', 10_000, [{ start: 0, end: 500 }]],
    ['bytes=500-999', 10_000, [{ start: 500, end: 1000 }]],
    ['bytes=-500', 10_000, [{ start: 9500, end: 10_000 }]],
    ['bytes=9500-', 10_000, [{ start: 9500, end: 10_000 }]],
    ['bytes=0-0', 10_000, [{ start: 0, end: 1 }]],
    [
      'bytes=0-0,-1',
      10_000,
      [
        { start: 0, end: 1 },
        { start: 9999, end: 10_000 },
      ],
    ],
    [
      'bytes= 0-999, 4500-5499, -1000',
      10_000,
      [
        { start: 0, end: 1000 },
        { start: 4500, end: 5500 },
        { start: 9000, end: 10_000 },
      ],
    ],
    // Touching and overlapping ones are one.
    ['bytes=500-600,601-999', 10_000, [{ start: 500, end: 1000 }]],
    ['bytes=500-700,601-999', 10_000, [{ start: 500, end: 1000 }]],
    // In the order in which they were asked for.
    [
      'bytes=900-,0-9',
      1000,
      [
        { start: 900, end: 1000 },
        { start: 0, end: 10 },
      ],
    ],
    ['bytes=0-', 5, [{ start: 0, end: 5 }]],
    ['bytes=2-99999999999999999999999', 5, [{ start: 2, end: 5 }]],
    ['bytes=-99999999999999999999999', 5, [{ start: 0, end: 5 }]],
    ['BYTES=1-2', 5, [{ start: 1, end: 3 }]],
    ['bytes=001-002', 5, [{ start: 1, end: 3 }]],
    ['bytes=,1-2,,', 5, [{ start: 1, end: 3 }]],
    // One that can be had is enough.
    ['bytes=9-,1-2,-0', 5, [{ start: 1, end: 3 }]],
    ['bytes=5-', 5, 'unsatisfiable'],
    ['bytes=5-9', 5, 'unsatisfiable'],
    ['bytes=-0', 5, 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 5, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=0-0', 0, 'unsatisfiable'],
    ['bytes=-0', 0, 'unsatisfiable'],
    // The last bytes of an empty file are none, which is all of it.
    ['bytes=-5', 0, 'whole'],
    [undefined, 5, 'whole'],
    ['', 5, 'whole'],
    ['bytes', 5, 'whole'],
    ['bytes=', 5, 'whole'],
    ['bytes=,', 5, 'whole'],
    ['bytes=-', 5, 'whole'],
    ['bytes=2-1', 5, 'whole'],
    ['bytes=9007199254740993-9007199254740992', 5, 'whole'],
    ['bytes=0-1,2-1', 5, 'whole'],
    ['bytes=a-b', 5, 'whole'],
    ['bytes=1.0-2', 5, 'whole'],
    ['bytes=+1-2', 5, 'whole'],
    ['bytes=1 -2', 5, 'whole'],
    ['bytes=1-2-3', 5, 'whole'],
    ['bytes=0x1-2', 5, 'whole'],
    ['bytes=--1', 5, 'whole'],
    ['bytes =1-2', 5, 'whole'],
    [' bytes=1-2', 5, 'whole'],
    ['bytes=0-1, bytes=3-4', 5, 'whole'],
    ['bytes=１-２', 5, 'whole'],
    ['seconds=0-1', 5, 'whole'],
    ['none', 5, 'whole'],
  ])('%j, of %i bytes', (header, size, expected) => {
    expect(readRanges(header, size)).toEqual(expected);
  });

  test('with more than sixteen parts is refused, but not one that only seems to have more', () => {
    const every = (step: number, count: number) =>
      `bytes=${Array.from({ length: count }, (_, at) => `${at * step}-${at * step}`).join(',')}`;
    expect(readRanges(every(2, MAX_PARTS), 1e6)).toHaveLength(MAX_PARTS);
    expect(readRanges(every(2, MAX_PARTS + 1), 1e6)).toBe('unsatisfiable');
    expect(readRanges(every(1, 500), 1e6)).toEqual([{ start: 0, end: 500 }]);
  });

  // Compared each with each, they would take minutes, and block the process.
  test('with any number of ranges is read in a moment', () => {
    const count = 50_000;
    const places = Array.from({ length: count }, (_, at) => 2 * ((at * 7919) % count));
    const header = `bytes=${places.map((place) => `${place}-${place}`).join(',')}`;
    expect(readRanges(header, 1e6)).toBe('unsatisfiable');
  });

  test('selects bytes as RFC 9110 defines, byte by byte', () => {
    const number = fc.oneof(fc.nat({ max: 30 }), fc.constantFrom(1000, 2 ** 53, 1e21)).map((n) => BigInt(n));
    const spec = fc.oneof(
      fc.tuple(number, number).map(([first, last]) => `${first}-${last}`),
      number.map((first) => `${first}-`),
      number.map((suffix) => `-${suffix}`),
    );
    const specs = fc.array(
      fc.oneof({ weight: 20, arbitrary: spec }, { weight: 1, arbitrary: fc.constantFrom('', 'x', '1', '-') }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(specs, fc.constantFrom(',', ', ', ' ,\t'), fc.nat({ max: 25 }), (listed, comma, size) => {
        const read = readRanges(`bytes=${listed.join(comma)}`, size);
        const expected = readByDefinition(listed, size);
        if (typeof expected === 'string') expect(read).toBe(expected);
        else {
          expect(bytesOf(read === 'whole' || read === 'unsatisfiable' ? [] : read)).toEqual(expected);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** Each byte is asked after by itself, in other words than the code under test has. */
function readByDefinition(specs: readonly string[], size: number): 'whole' | 'unsatisfiable' | Set<number> {
  const given = specs.filter((spec) => spec !== '');
  if (given.length === 0) return 'whole';
  const tests: ((at: bigint) => boolean)[] = [];
  let satisfiable = false;
  for (const spec of given) {
    if (!/^\d*-\d*$/.test(spec) || spec === '-') return 'whole';
    const [first = '', last = ''] = spec.split('-');
    if (first === '') {
      tests.push((at) => at >= BigInt(size) - BigInt(last));
      satisfiable ||= BigInt(last) > 0n;
    } else {
      if (last !== '' && BigInt(first) > BigInt(last)) return 'whole';
      tests.push((at) => at >= BigInt(first) && (last === '' || at <= BigInt(last)));
      satisfiable ||= BigInt(first) < BigInt(size);
    }
  }
  if (!satisfiable) return 'unsatisfiable';
  if (size === 0) return 'whole';
  const bytes = Array.from({ length: size }, (_, at) => at);
  return new Set(bytes.filter((at) => tests.some((holds) => holds(BigInt(at)))));
}

function bytesOf(ranges: readonly ByteRange[]): Set<number> {
  const bytes: number[] = [];
  for (const { start, end } of ranges) for (let at = start; at < end; at += 1) bytes.push(at);
  // None twice: ranges that overlap were made one.
  expect(new Set(bytes).size).toBe(bytes.length);
  return new Set(bytes.sort((one, other) => one - other));
}
