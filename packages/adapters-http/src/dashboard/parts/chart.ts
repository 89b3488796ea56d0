import { type Html, html } from '@handover/html';
import { formatCount } from './money.ts';
import { table } from './table.ts';
import { formatShortDay, formatter } from './time.ts';

export interface ChartDay {
  /** As 2026-03-31. */
  readonly day: string;
  /** The counts of a day's bars, from the bottom up. */
  readonly bars: readonly number[];
  /** The line's value on that day. */
  readonly line?: number;
}

export interface ChartBars {
  readonly words: string;
  readonly tone: 'delivered' | 'trouble' | 'quiet';
}

export interface Chart {
  readonly title: string;
  /** Each day of the period, oldest first. */
  readonly days: readonly ChartDay[];
  /** The parts of a day's bar, from the bottom up. */
  readonly bars: readonly ChartBars[];
  /** The line's name, if there is one. */
  readonly line?: string;
  /** As 2026-03-31: the day is not over yet, so its bar is paler. */
  readonly today: string;
  /** Replaces the bars where every count is 0. */
  readonly nothing: string;
}

/**
 * Stacked bars per day with a line over them: a drawing, and a sentence and a table with the same data for
 * everyone.
 */
export function dayChart(chart: Chart): Html {
  const legend = [
    ...chart.bars.map(({ words, tone }) => ({ words, mark: tone })),
    ...(chart.line === undefined ? [] : [{ words: chart.line, mark: 'line' }]),
  ];
  return html`<div class="day-chart"><header><h2>${chart.title}</h2><ul>${legend.map(
    ({ words, mark }) => html`<li data-mark="${mark}">${words}</li>`,
  )}</ul></header>
${drawing(chart)}
<details><summary><span>Show as table</span><span>Hide the table</span></summary>${dayTable(chart)}</details></div>`;
}

/** Describes the drawing: the period, and each kind with its sum and its best day. */
export function describeChart({ days, bars, line, today }: Chart): string {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return 'No days.';
  const kinds = [
    ...bars.map(({ words }, at) => ({ words, countOf: (day: ChartDay) => day.bars[at] ?? 0 })),
    ...(line === undefined ? [] : [{ words: line, countOf: (day: ChartDay) => day.line ?? 0 }]),
  ];
  const sentences = kinds.map(({ words, countOf }) => {
    const sum = days.reduce((total, day) => total + countOf(day), 0);
    if (sum === 0) return `${words}: none.`;
    const best = days.reduce((most, day) => (countOf(day) > countOf(most) ? day : most));
    return `${words}: ${formatCount(sum)}, most on ${longDay(best)} (${formatCount(countOf(best))}).`;
  });
  const until = last.day === today ? 'today' : longDay(last);
  return [`From ${longDay(first)} to ${until}.`, ...sentences].join(' ');
}

const HEIGHT = 166;
const GAP = 2;
/** The position of a line of text, midway between two gridlines. */
const BETWEEN_LINES = HEIGHT * 0.375 + 4;
/** Each is wide enough for its label, on phones too. */
const FEW_DAYS = 7;
/** The bar's share of a day's width. Of more days than a quarter has, bars with gaps would be hairs. */
const BAR_SHARE = 0.56;
const MANY_DAYS = 92;

/**
 * Widths are percentages and heights are pixels, so that bars follow the page's width and text keeps its
 * size. The stylesheet's padding has the room for the labels.
 */
function drawing(chart: Chart): Html {
  const { days } = chart;
  const scale = roundScale(Math.max(0, ...days.map((day) => Math.max(sumOf(day.bars), day.line ?? 0))));
  const isBare = days.every((day) => sumOf(day.bars) === 0 && !day.line);
  return html`<svg role="img" aria-label="${describeChart(chart)}" width="100%" height="${HEIGHT}" ${days.length > MANY_DAYS && 'data-many'}>
${gridlines(scale)}${labelledDays(days.length).map((at) => dayLabel(chart, at))}
${isBare ? html`<text class="nothing" x="50%" y="${BETWEEN_LINES}" text-anchor="middle">${chart.nothing}</text>` : marks(chart, scale)}
</svg>`;
}

function gridlines({ lines, top }: Scale): readonly Html[] {
  return lines.map((line) => {
    const y = rounded(HEIGHT - (line / top) * HEIGHT);
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="-8" y="${y + 4}" text-anchor="end">${formatAxis(line)}</text>`;
  });
}

/** There is room for five characters: 12,500 is 12.5k. */
function formatAxis(count: number): string {
  return count < 10_000 ? formatCount(count) : COMPACT.format(count).toLowerCase();
}

const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

function dayLabel({ days, today }: Chart, at: number): Html | null {
  const day = days[at];
  if (!day) return null;
  const words = day.day === today ? 'Today' : formatShortDay(dateOf(day));
  // Of many days, the last one is narrower than its label, which would leave the chart.
  const isAtEnd = at === days.length - 1 && days.length > FEW_DAYS;
  const [x, anchor] = isAtEnd ? ['100%', 'end'] : [share(at + 0.5, days.length), 'middle'];
  return html`<text x="${x}" y="${HEIGHT + 18}" text-anchor="${anchor}">${words}</text>`;
}

function marks(chart: Chart, scale: Scale): Html {
  return html`${chart.days.map((day, at) => dayBar(chart, day, at, scale))}${chart.line === undefined ? '' : lineOver(chart.days, scale)}`;
}

/** A day's stacked bar, with a title for the pointer. */
function dayBar(chart: Chart, day: ChartDay, at: number, { top }: Scale): Html {
  const count = chart.days.length;
  const wide = count > MANY_DAYS ? 1 : BAR_SHARE;
  let base = HEIGHT;
  const layers = day.bars.map((value, layer) => {
    if (value <= 0) return null;
    const full = (value / top) * HEIGHT;
    // A small gap separates layers; the minimum height keeps small ones visible.
    const off = base < HEIGHT && count <= MANY_DAYS ? GAP : 0;
    const height = Math.max(full - off, 1.5);
    base -= height + off;
    const tone = chart.bars[layer]?.tone ?? 'quiet';
    return html`<rect data-tone="${tone}" x="${share(at + (1 - wide) / 2, count)}" width="${share(wide, count)}" y="${rounded(base)}" height="${rounded(height)}" rx="1.5"/>`;
  });
  const isUnfinished = day.day === chart.today;
  return html`<g ${isUnfinished ? 'data-unfinished' : ''}><title>${formatDay(chart, day)}</title><rect class="whole-day" x="${share(at, count)}" width="${share(1, count)}" y="0" height="${HEIGHT}"/>${layers}</g>`;
}

function lineOver(days: readonly ChartDay[], { top }: Scale): Html {
  const points = days.map(({ line = 0 }, at) => ({
    x: at + 0.5,
    y: rounded(HEIGHT - (line / top) * HEIGHT),
  }));
  const last = points.at(-1);
  // A nested drawing that stretches, so that its x coordinates are days.
  const path = html`<svg class="over" width="100%" height="${HEIGHT}" viewBox="0 0 ${days.length} ${HEIGHT}" preserveAspectRatio="none"><polyline class="line" points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/></svg>`;
  return html`${path}${last ? html`<circle class="line-end" cx="${share(last.x, days.length)}" cy="${last.y}" r="3"/>` : ''}`;
}

function formatDay({ bars, line }: Chart, day: ChartDay): string {
  const parts = [
    ...bars.map(({ words }, at) => `${words}: ${formatCount(day.bars[at] ?? 0)}`),
    ...(line === undefined ? [] : [`${line}: ${formatCount(day.line ?? 0)}`]),
  ];
  return [longDay(day), ...parts].join('\n');
}

function dayTable({ title, days, bars, line }: Chart): Html {
  return table<ChartDay>({
    label: title,
    rows: days,
    columns: [
      {
        head: 'Day',
        cell: (day) => html`<time datetime="${day.day}">${longDay(day)}</time>`,
      },
      ...bars.map(({ words }, at) => numberColumn(words, (day) => day.bars[at] ?? 0)),
      ...(line === undefined ? [] : [numberColumn(line, (day) => day.line ?? 0)]),
    ],
  });
}

/** On phones the column heads are hidden, so each number has its own label. */
function numberColumn(words: string, countOf: (day: ChartDay) => number) {
  return {
    head: words,
    number: true,
    cell: (day: ChartDay) =>
      html`<span class="when-narrow" aria-hidden="true">${words} </span>${formatCount(countOf(day))}`,
  };
}

function share(of: number, count: number): string {
  return `${rounded((100 * of) / count)}%`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** "Wednesday 14 October 2026". */
function longDay(day: ChartDay): string {
  return LONG_DAY.format(dateOf(day)).replace(',', '');
}

function dateOf({ day }: ChartDay): Date {
  return new Date(`${day}T00:00:00Z`);
}

const LONG_DAY = formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** The gridlines of a chart, and its labelled days. */
interface Scale {
  /** The values of the gridlines, from 0 up: five of them, in equal round steps. */
  readonly lines: readonly number[];
  readonly top: number;
}

const STEPS = 4;

/** The smallest scale with round steps that fits `most`; 0 to 4 for an empty chart. */
export function roundScale(most: number): Scale {
  const step = roundUp(Math.max(1, most / STEPS));
  const lines = Array.from({ length: STEPS + 1 }, (_, at) => at * step);
  return { lines, top: STEPS * step };
}

/** 1, 2, 5, 10, 20, 25, 50, 100, 200, 250 and so on: orders are whole numbers. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const rounded = [1, 2, 2.5, 5, 10].map((lead) => lead * power);
  return rounded.find((candidate) => candidate >= value && Number.isInteger(candidate)) ?? 10 * power;
}

const LABELS = 5;
const STRIDES = [1, 2, 3, 7, 14, 28, 56, 91];

/**
 * Which days have a label: the first, the last, and some in between at equal distances, at most five, so
 * that they fit on a phone. A label too near to the last is left out.
 */
export function labelledDays(count: number): readonly number[] {
  const last = count - 1;
  for (const stride of [...STRIDES, count]) {
    const before = Array.from({ length: Math.ceil(last / stride) }, (_, at) => at * stride);
    const clear = before.filter((at) => at === 0 || last - at >= 0.6 * stride);
    if (clear.length < LABELS) return last >= 0 ? [...clear, last] : [];
  }
  return [];
}
