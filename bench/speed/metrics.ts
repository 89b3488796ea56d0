export interface Target {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Metrics, one a line, each with its target. A target that is missed makes the command fail. */
export function printMetric(name: string, value: number, unit: string, target: Target = {}): void {
  console.log(`${name}: ${formatNumber(value)}${unit}${check(value, unit, target)}`);
}

/** A metric beside its ceiling, and the ratio of the two. */
export function printRatio(
  name: string,
  value: number,
  ceiling: number,
  unit: string,
  target: Target = {},
): void {
  const ratio = value / ceiling;
  console.log(
    `${name}: ${formatNumber(value)}${unit} of ${formatNumber(ceiling)}${unit} = ${ratio.toFixed(2)}×${check(ratio, '×', target)}`,
  );
}

/** What was left out, or what a metric depends on. */
export function printNote(text: string): void {
  console.log(text);
}

export function formatFailures(failures: ReadonlyMap<number, number>): string {
  const counts = [...failures].map(([status, count]) => `${count}× ${status === 0 ? 'no answer' : status}`);
  return counts.join(', ') || 'none';
}

function check(value: number, unit: string, { atLeast, atMost }: Target): string {
  if (atLeast === undefined && atMost === undefined) return '';
  const met = atLeast === undefined ? value <= Number(atMost) : value >= atLeast;
  if (!met) process.exitCode = 1;
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return ` (target: ${limit}${unit}) ${met ? 'met' : 'MISSED'}`;
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
}
