import { describe, expect, it } from 'vitest';
import { drawBar, formatBytes, showProgress } from '../src/cli/show-progress.ts';

const GB = 1_000_000_000;

function watch(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  let time = 0;
  const output = { isTTY, columns, write: (text: string) => written.push(text) };
  const line = showProgress('pads.zip', output, () => time);
  return {
    written,
    line,
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('progress without a terminal', () => {
  it('is a line for every ten percent, and one at the end', () => {
    const { written, line } = watch(false);
    for (let done = 0; done <= 1000; done += 7) line.show(done, 1000);
    line.show(1000, 1000);
    line.end();
    const percents = written.map((text) => Number(/: (\d+) %/.exec(text)?.[1]));
    expect(percents).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(written.at(-1)).toBe('pads.zip: 100 % of 1.0 KB\n');
  });

  it('starts at the bytes of an earlier try', () => {
    const { written, line } = watch(false);
    for (const done of [570, 580, 610, 1000]) line.show(done, 1000);
    expect(written.map((text) => /: (\d+) %/.exec(text)?.[1])).toEqual(['57', '61', '100']);
  });
});

describe('progress on a terminal', () => {
  it('overwrites its line, not for every byte, and always at the end', () => {
    const { written, line, advance } = watch(true);
    for (let done = 0; done <= 100; done += 1) {
      line.show(done, 100);
      advance(10);
    }
    line.end();
    expect(written.length).toBeLessThan(15);
    expect(written.slice(0, -1).every((text) => text.startsWith('\r\u001b[K'))).toBe(true);
    expect(written.at(-2)).toContain('100 %');
    expect(written.at(-1)).toBe('\n');
  });

  it('counts the time left from what this try has sent', () => {
    const { written, line, advance } = watch(true, 120);
    line.show(0.5 * GB, GB);
    advance(10_000);
    line.show(0.6 * GB, GB);
    expect(written.at(-1)).toContain(' 60 %  600.0 MB of 1.0 GB 40 s left');
  });

  it('fits into its line, with any name and on any terminal', () => {
    for (const name of ['a', 'pads.zip', 'x'.repeat(300)]) {
      for (let columns = 1; columns < 200; columns += 1) {
        for (const speed of [0, 1, 5_000_000]) {
          const bar = drawBar({ name, done: 0.3 * GB, total: 3 * GB, speed }, columns);
          expect(bar.length).toBeLessThan(columns);
        }
      }
    }
  });

  it('shows the end of a long name, which distinguishes the files of one product', () => {
    const progress = { name: 'felt-piano-library-part-12.zip', done: 1, total: 2, speed: 0 };
    expect(drawBar(progress, 70)).toMatch(/^….*part-12\.zip \[#+\.+\] {2}50 % {2}1 B of 2 B$/);
  });

  it('shows 100 % only for a complete file, and also for an empty one', () => {
    expect(drawBar({ name: 'a', done: 999_999, total: 1_000_000, speed: 0 }, 80)).toContain(' 99 %');
    expect(drawBar({ name: 'a', done: 0, total: 0, speed: 0 }, 80)).toContain('100 %');
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [3_103_784_960, '3.1 GB'],
  [2e15, '2000.0 TB'],
])('%i bytes are written as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
