import type { ManifestTable } from '../transfer/manifest.ts';
import { counted } from './command-text.ts';
import type { CommandContext } from './run-command.ts';

/** Where progress is printed: standard error, so that standard output has only the result. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  /** Bytes per second so far; 0 while unknown. */
  readonly speed: number;
}

export interface ProgressLine {
  /** Reports the bytes done by now; the first call reports those of earlier tries. */
  show(done: number, total: number): void;
  end(): void;
}

const REDRAW_EVERY_MS = 100;
const STEP_PERCENT = 10;

/** A progress bar on a terminal; elsewhere, such as in a CI log, a line for every ten percent. */
export function showProgress(
  name: string,
  output: ProgressOutput,
  now = () => performance.now(),
): ProgressLine {
  const meter = startMeter(now);
  let drawnAt = -Infinity;
  let drawn = false;
  let nextStep = 0;
  return {
    show: (done, total) => {
      const progress = { name, done, total, speed: meter(done) };
      if (output.isTTY) {
        if (done < total && now() - drawnAt < REDRAW_EVERY_MS) return;
        drawnAt = now();
        drawn = true;
        output.write(`\r\u001b[K${drawBar(progress, output.columns ?? 80)}`);
        return;
      }
      const percent = percentOf(progress);
      if (percent < nextStep) return;
      nextStep = percent - (percent % STEP_PERCENT) + STEP_PERCENT;
      output.write(`${name}: ${percent} % of ${formatBytes(total)}\n`);
    },
    end: () => {
      if (drawn) output.write('\n');
    },
  };
}

function startMeter(now: () => number): (done: number) => number {
  let first: { readonly at: number; readonly done: number } | null = null;
  return (done) => {
    first ??= { at: now(), done };
    const seconds = (now() - first.at) / 1000;
    return seconds < 0.5 ? 0 : (done - first.done) / seconds;
  };
}

/** One line that fits the width: name, bar, percent, bytes, and the time left once it is known. */
export function drawBar(progress: Progress, columns: number): string {
  const { name, done, total, speed } = progress;
  const left = speed > 0 ? ` ${formatTime((total - done) / speed)} left` : '';
  const facts = ` ${String(percentOf(progress)).padStart(3)} %  ${formatBytes(done)} of ${formatBytes(total)}${done < total ? left : ''}`;
  const room = columns - 1 - facts.length;
  const width = Math.min(30, room - Math.min(name.length, 20) - 3);
  if (width < 5) return facts.trim().slice(0, Math.max(0, columns - 1));
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  const label = shorten(name, room - width - 3);
  return `${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}]${facts}`;
}

/** Files of one product differ mostly in the end of their names. */
function shorten(name: string, length: number): string {
  return name.length <= length ? name : `…${name.slice(name.length - length + 1)}`;
}

/** Shows 100 only for a complete file. */
function percentOf({ done, total }: Pick<Progress, 'done' | 'total'>): number {
  return total === 0 ? 100 : Math.floor((done * 100) / total);
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

function formatTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Prints each table when it is done, and how far the files are. With --json, nothing. */
export function showTransfer({ wantsJson, output }: CommandContext) {
  if (wantsJson()) return { onTable: () => undefined, onBytes: () => undefined };
  const files = showProgress('files', { write: (text) => output.err(text.replace(/\n$/, '')) });
  return {
    onTable: ({ name, rows }: ManifestTable) => {
      if (rows > 0) output.err(`${name}: ${counted(rows, 'row')}`);
    },
    onBytes: files.show,
  };
}

/** The rows of an export, and its files. */
export function countAll({
  tables,
  files,
}: {
  readonly tables: readonly ManifestTable[];
  readonly files: ManifestTable;
}) {
  return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: files.rows };
}
