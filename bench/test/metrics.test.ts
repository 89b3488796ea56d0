import { afterEach, expect, test, vi } from 'vitest';
import { printMetric, printRatio } from '../speed/metrics.ts';

const former = process.exitCode;

afterEach(() => {
  process.exitCode = former;
  vi.restoreAllMocks();
});

test.each([
  ['a rate that reaches its target', () => printRatio('a', 4000, 2000, '/s', { atLeast: 2 }), 'met', former],
  ['a rate below its target', () => printRatio('a', 3990, 2000, '/s', { atLeast: 2 }), 'MISSED', 1],
  ['a time that keeps its limit', () => printMetric('a', 100, ' ms', { atMost: 100 }), 'met', former],
  ['a time beyond its limit', () => printMetric('a', 100.4, ' ms', { atMost: 100 }), 'MISSED', 1],
  ['a figure that cannot be told', () => printMetric('a', Number.NaN, ' ms', { atMost: 100 }), 'MISSED', 1],
])('%s is told with its target and decides the exit status', (_case, print, classification, exitCode) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  print();
  expect(log.mock.calls.flat().join()).toMatch(new RegExp(` ${classification}$`));
  expect(process.exitCode).toBe(exitCode);
});
