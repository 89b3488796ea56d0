import { within } from './system-timer.ts';

/** `unknown`: it was not asked yet, or its first answer is not there yet. */
export type PartState = 'ok' | 'away' | 'unknown';

/** Rejects if the part does not do what it should. It gives up by itself. */
export type CheckPart = () => Promise<unknown>;

/** How old an answer may be: load balancers ask every few seconds, and each answer costs a mail server a sign-in. */
const ASK_EVERY_MS = 10_000;
/** How long the first caller waits. Later ones get what is known. */
const WAIT_MS = 300;

/** Says how a part of the installation is, without making its callers wait for it. */
export function createPartProbe(
  check: CheckPart,
  now: () => number = () => performance.now(),
): () => Promise<PartState> {
  let state: PartState = 'unknown';
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    askedAt = now();
    state = await check().then(
      () => 'ok',
      () => 'away',
    );
    asking = null;
  }

  return async () => {
    if (asking === null && now() - askedAt >= ASK_EVERY_MS) asking = ask();
    if (asking !== null && state === 'unknown') await within(WAIT_MS, asking);
    return state;
  };
}
