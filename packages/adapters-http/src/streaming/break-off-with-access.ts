import type { Readable } from 'node:stream';
import type { Timer } from '@handover/domain';
import { systemTimer } from '../system-timer.ts';

/** After its reader lost access, a list continues for at most this time, plus that of one query. */
export const CHECKED_EVERY_MS = 10_000;

/**
 * Breaks off an answer that is still being sent when its reader's access ends: a slow reader could take hours over a list.
 * The connection breaks, so that nobody mistakes the part for the whole. While the database does not answer, it goes on.
 */
export function breakOffWithAccess(
  content: Readable,
  isStillAllowed: () => Promise<boolean>,
  timer: Pick<Timer, 'start'> = systemTimer,
): void {
  const check = async () => {
    const isAllowed = await isStillAllowed().catch(() => true);
    if (isAllowed) schedule();
    else content.destroy(new Error('The reader’s access ended.'));
  };
  let stop = () => {};
  const schedule = () => {
    if (!content.destroyed) stop = timer.start(CHECKED_EVERY_MS, () => void check());
  };
  content.once('close', () => stop());
  schedule();
}
