import { formatSize } from '../../pages/words.ts';

/** How much of something has gone out, in bytes. */
interface Share {
  readonly sent: number;
  readonly size: number;
}

/** "1.2 GB of 3.1 GB". */
export function formatShare({ sent, size }: Share): string {
  return `${formatSize(sent)} of ${formatSize(size)}`;
}

/** Of a hundred, and never that before all of it went out. */
export function percentOf({ sent, size }: Share): number {
  if (sent >= size) return 100;
  return Math.min(99, Math.floor((sent / size) * 100));
}
