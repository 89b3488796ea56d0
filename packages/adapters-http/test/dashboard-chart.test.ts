import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Chart,
  dayChart,
  describeChart,
  labelledDays,
  roundScale,
} from '../src/dashboard/parts/chart.ts';

const CHART: Chart = {
  title: 'Last 3 days',
  days: [
    { day: '2026-10-12', bars: [40, 0], line: 61 },
    { day: '2026-10-13', bars: [63, 2], line: 94 },
    { day: '2026-10-14', bars: [44, 4], line: 1_071 },
  ],
  bars: [
    { words: 'Delivered', tone: 'delivered' },
    { words: 'Held or failed', tone: 'trouble' },
  ],
  line: 'Downloads',
  today: '2026-10-14',
  nothing: 'No orders in this period',
};

describe('the scale of a chart', () => {
  test.each([
    [0, [0, 1, 2, 3, 4]],
    [3, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6, 8]],
    [9, [0, 5, 10, 15, 20]],
    [94, [0, 25, 50, 75, 100]],
    [100, [0, 25, 50, 75, 100]],
    [101, [0, 50, 100, 150, 200]],
    [7_300, [0, 2_000, 4_000, 6_000, 8_000]],
  ])('for at most %i has round steps', (most, lines) => {
    expect(roundScale(most)).toEqual({ lines, top: lines.at(-1) });
  });

  test('fits all values in whole steps, and wastes less than three quarters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (most) => {
        const { lines, top } = roundScale(most);
        expect(lines).toHaveLength(5);
        expect(lines.every(Number.isInteger)).toBe(true);
        expect(top).toBeGreaterThanOrEqual(most);
        expect(most < 4 || top < 4 * most).toBe(true);
      }),
    );
  });
});

test.each([
  [92, false],
  [93, true],
  [366, true],
])('the bars of %i days fill their days: %s', (count, fills) => {
  const days = Array.from({ length: count }, (_, at) => ({
    day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
    bars: [1, 1],
  }));
  const drawn = String(dayChart({ ...CHART, days }));
  const [, ofDay = ''] = /class="whole-day" x="[^"]*" width="([^"]*)"/.exec(drawn) ?? [];
  const [, ofBar = ''] = /data-tone="delivered" x="[^"]*" width="([^"]*)"/.exec(drawn) ?? [];
  expect([ofBar === ofDay, drawn.includes('data-many')]).toEqual([fills, fills]);
});

describe('the labels of the scale', () => {
  test('are at most five characters wide, differ from each other, and are in the drawing, for any count', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 2 ** 40 }), (bar, line) => {
        const day = { day: '2026-10-12', bars: [bar, 0], line };
        const drawn = String(dayChart({ ...CHART, days: [day] }));
        const drawing = drawn.slice(drawn.indexOf('<svg'), drawn.indexOf('</svg>'));
        const labels = [...drawing.matchAll(/text-anchor="end">([^<]*)</g)].map(([, label = '']) => label);
        expect(new Set(labels).size).toBe(5);
        for (const label of labels) expect(label).toMatch(/^[\d.,kmbtn]{1,5}$/);
        for (const [, y, height] of drawing.matchAll(
          /<rect data-tone[^>]* y="([\d.-]+)" height="([\d.-]+)"/g,
        )) {
          expect(Number(y)).toBeGreaterThanOrEqual(0);
          expect(Number(y) + Number(height)).toBeLessThanOrEqual(166.01);
        }
      }),
    );
  });
});

describe('the days below a chart', () => {
  test.each([
    [0, []],
    [1, [0]],
    [2, [0, 1]],
    [5, [0, 1, 2, 3, 4]],
    [30, [0, 7, 14, 21, 29]],
    [366, [0, 91, 182, 273, 365]],
  ])('have labels for some of %i days', (count, labelled) => {
    expect(labelledDays(count)).toEqual(labelled);
  });

  test('include the first, the last, and at most three between them at a distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 400 }), (count) => {
        const labelled = labelledDays(count);
        expect(labelled.at(0)).toBe(0);
        expect(labelled.at(-1)).toBe(count - 1);
        expect(labelled.length).toBeLessThanOrEqual(5);
        const gaps = labelled.slice(1).map((at, before) => at - (labelled[before] ?? 0));
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(Math.max(1, Math.floor(count / 10)));
      }),
    );
  });
});

describe('a chart', () => {
  test('describes itself in a sentence', () => {
    expect(describeChart(CHART)).toBe(
      'From Monday 12 October 2026 to today. Delivered: 147, most on Tuesday 13 October 2026 (63). ' +
        'Held or failed: 6, most on Wednesday 14 October 2026 (4). ' +
        'Downloads: 1,226, most on Wednesday 14 October 2026 (1,071).',
    );
  });

  test('names a kind without events', () => {
    const calm = { ...CHART, days: [{ day: '2026-10-12', bars: [40, 0], line: 61 }] };
    expect(describeChart(calm)).toContain('Held or failed: none.');
    expect(describeChart(calm)).toContain('to Monday 12 October 2026.');
  });

  test('ends the label of the last of many days where the chart ends', () => {
    const of = (count: number) =>
      dayChart({
        ...CHART,
        days: Array.from({ length: count }, (_, at) => ({
          day: new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10),
          bars: [1, 0],
          line: 1,
        })),
      });
    expect(String(of(366))).toMatch(/<text x="100%" y="\d+" text-anchor="end">/);
    expect(String(of(7))).not.toMatch(/<text x="100%"/);
  });

  test('draws a layer for each count above 0, and today paler', () => {
    const drawn = String(dayChart(CHART));
    expect(drawn.match(/<rect data-tone="delivered"/g)).toHaveLength(3);
    expect(drawn.match(/<rect data-tone="trouble"/g)).toHaveLength(2);
    expect(drawn.match(/data-unfinished/g)).toHaveLength(1);
    expect(drawn).toMatch(/data-unfinished><title>Wednesday 14 October 2026\n/);
  });

  test('stacks its layers from the baseline, each in proportion, within the drawing', () => {
    const day = { day: '2026-10-12', bars: [50, 25], line: 100 };
    const drawn = String(dayChart({ ...CHART, days: [day] }));
    const [delivered, trouble] = [...drawn.matchAll(/y="([\d.]+)" height="([\d.]+)" rx/g)].map(
      ([, y, height]) => ({ y: Number(y), height: Number(height) }),
    );
    expect(delivered).toEqual({ y: 83, height: 83 });
    expect(trouble).toEqual({ y: 41.5, height: 39.5 });
    expect(drawn).toContain('points="0.5,0"');
  });

  test('also lists every number in a table', () => {
    const shown = String(dayChart(CHART));
    expect(shown).toContain('Show as table');
    expect(shown).toContain('<th scope="col" data-number >Held or failed</th>');
    expect(shown.match(/<tr>/g)).toHaveLength(4);
    expect(shown).toContain('1,071</td>');
  });

  test('says that nothing happened, and draws no line', () => {
    const days = CHART.days.map(({ day }) => ({ day, bars: [0, 0], line: 0 }));
    const bare = String(dayChart({ ...CHART, days }));
    expect(bare).toContain('No orders in this period');
    expect(bare).not.toContain('<rect');
    expect(bare).not.toContain('<polyline');
  });

  test('can have bars only', () => {
    const { line: _, ...barsAlone } = CHART;
    const drawn = String(
      dayChart({ ...barsAlone, days: CHART.days.map(({ day, bars }) => ({ day, bars })) }),
    );
    expect(drawn).not.toContain('Downloads');
    expect(drawn).not.toContain('<polyline');
  });

  test('escapes text', () => {
    const hostile = '"><script>';
    const drawn = String(dayChart({ ...CHART, title: hostile, line: hostile, nothing: hostile }));
    expect(drawn).not.toContain('<script');
  });
});

test('the labels of the axis fit beside it, however many orders there are', () => {
  const labels = (most: number) => {
    const drawn = String(dayChart({ ...CHART, days: [{ day: '2026-10-14', bars: [most, 0] }] }));
    return [...drawn.matchAll(/text-anchor="end">([^<]+)</g)].map(([, label]) => label);
  };
  expect(labels(7_300)).toEqual(['0', '2,000', '4,000', '6,000', '8,000']);
  expect(labels(41_000)).toEqual(['0', '20k', '40k', '60k', '80k']);
  expect(labels(95_000)).toEqual(['0', '25k', '50k', '75k', '100k']);
  fc.assert(
    fc.property(fc.nat(999_000_000), (most) => {
      for (const label of labels(most)) expect(label?.length).toBeLessThanOrEqual(6);
    }),
  );
});
