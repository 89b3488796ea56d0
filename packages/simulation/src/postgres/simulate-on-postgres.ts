import { drawHistory } from '../history.ts';
import { describeFailure } from './describe-failure.ts';
import { openSimulatedPostgres } from './open-postgres.ts';
import { type PairedPlay, playOnPostgres } from './play-on-postgres.ts';
import { startPostgres } from './start-postgres.ts';

export interface PairedRun {
  readonly first: number;
  readonly count: number;
  readonly steps: number;
}

/** After so many failures there is enough to look into. */
const MAX_FAILURES = 5;
const PROGRESS_EVERY = 100;
/** A database is left behind after so many: with each history it grows, though it is emptied. */
const HISTORIES_PER_DATABASE = 500;
const WITH_PAGES: PairedPlay = { pages: true };

/** Plays histories on PostgreSQL and in memory, tells how far it is, and answers with the number that failed. */
export async function simulateOnPostgres({ first, count, steps }: PairedRun): Promise<number> {
  const server = await startPostgres();
  const counts = new Map<string, number>();
  const began = performance.now();
  let played = 0;
  let failed = 0;
  try {
    while (played < count && failed < MAX_FAILURES) {
      const postgres = await openSimulatedPostgres(server);
      const until = Math.min(count, played + HISTORIES_PER_DATABASE);
      while (played < until && failed < MAX_FAILURES) {
        const seed = first + played;
        const outcome = await playOnPostgres(postgres, drawHistory(seed, steps), WITH_PAGES);
        played += 1;
        for (const [what, times] of outcome.counts) counts.set(what, times + (counts.get(what) ?? 0));
        if (outcome.failure) {
          failed += 1;
          console.log(await describeFailure(postgres, { seed, steps, failure: outcome.failure }));
        }
        if (played % PROGRESS_EVERY === 0) printProgress();
      }
      await postgres.close();
    }
  } finally {
    await server.stop();
  }
  for (const [what, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${String(times).padStart(9)}  ${what}`);
  }
  printProgress();
  return failed;

  function printProgress(): void {
    const rate = played / ((performance.now() - began) / 1000);
    console.log(
      `${played} of ${count} histories of ${steps} steps on PostgreSQL, ${failed} failed, ${rate.toFixed(1)} a second`,
    );
  }
}
