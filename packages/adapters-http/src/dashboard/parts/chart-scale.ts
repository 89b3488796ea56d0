/** The gridlines of a chart, and its labelled days. */
export interface Scale {
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
