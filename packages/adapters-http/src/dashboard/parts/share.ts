import { formatSize } from '../../pages/words.ts';

/** How many bytes of a total were sent. */
interface Share {
  readonly sent: number;
  readonly size: number;
}

/** "1.2 GB of 3.1 GB". */
export function formatShare({ sent, size }: Share): string {
  return `${formatSize(sent)} of ${formatSize(size)}`;
}

/** Rounded down to whole percent, so that 100 means all of it. */
export function percentOf({ sent, size }: Share): number {
  if (sent >= size) return 100;
  return Math.min(99, Math.floor((sent / size) * 100));
}
