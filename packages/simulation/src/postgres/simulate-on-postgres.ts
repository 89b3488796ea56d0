import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedTemplate, type TestPostgres } from '@handover/adapters-postgres/testing';
import { startEmbeddedPostgres } from '@handover/embedded-postgres';
import { addCounts, printCounts } from '../coverage.ts';
import { drawHistory } from '../history.ts';
import { type Played, shrink } from '../play.ts';
import { openSimulatedPostgres, type SimulatedPostgres } from './open-postgres.ts';
import { type PairedPlay, playOnPostgres } from './play-on-postgres.ts';

interface PairedRun {
  readonly first: number;
  readonly count: number;
  readonly steps: number;
}

/** After this many failures there is enough to analyse. */
const MAX_FAILURES = 5;
const PROGRESS_EVERY_MS = 10_000;
/** A database is replaced after this many histories: it grows with each, although it is emptied. */
const HISTORIES_PER_DATABASE = 500;

/**
 * Plays histories on PostgreSQL and in memory, reports progress, and returns the number that failed. A single one is
 * checked in more detail. On a signal, it stops the PostgreSQL that it started, and returns null.
 */
export async function simulateOnPostgres({ first, count, steps }: PairedRun): Promise<number | null> {
  const comparing: PairedPlay = { pages: count === 1 };
  const signal = hearSignals();
  const server = await startPostgres();
  const counts = new Map<string, number>();
  const began = performance.now();
  let told = began;
  let played = 0;
  let failed = 0;
  const goesOn = () => !signal.aborted && failed < MAX_FAILURES;
  try {
    while (played < count && goesOn()) {
      const postgres = await openSimulatedPostgres(server);
      const until = Math.min(count, played + HISTORIES_PER_DATABASE);
      while (played < until && goesOn()) {
        const seed = first + played;
        const outcome = await playOnPostgres(postgres, drawHistory(seed, steps), comparing);
        played += 1;
        addCounts(counts, outcome.counts);
        if (outcome.failure) {
          failed += 1;
          console.log(await describeFailure(postgres, { seed, steps, failure: outcome.failure }, signal));
        }
        if (performance.now() - told > PROGRESS_EVERY_MS) printProgress();
      }
      await postgres.close();
    }
  } finally {
    await server.stop();
  }
  printCounts(counts);
  printProgress();
  return signal.aborted ? null : failed;

  function printProgress(): void {
    told = performance.now();
    const rate = played / ((performance.now() - began) / 1000);
    console.log(
      `${played} of ${count} histories of ${steps} steps on PostgreSQL, ${failed} failed, ${rate.toFixed(1)} a second`,
    );
  }
}

/** A second signal ends the program at once. */
function hearSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** The shortest history that still fails, as sentences, and how to replay it. An abort ends the reduction. */
export async function describeFailure(
  postgres: SimulatedPostgres,
  { seed, steps, failure }: { readonly seed: number; readonly steps: number; readonly failure: Error },
  signal?: AbortSignal,
): Promise<string> {
  const { played } = await shrink(drawHistory(seed, steps), async (history) =>
    signal?.aborted ? NOT_PLAYED : playOnPostgres(postgres, history, { pages: true }),
  );
  return [
    `Seed ${seed}: ${(played.failure ?? failure).message}`,
    ...describeSteps(played),
    `Replay it: npm run simulate -- --seed ${seed} --steps ${steps} --postgres`,
  ].join('\n');
}

function describeSteps({ failure, sentences }: Played): readonly string[] {
  if (!failure) return ['It did not fail again, so it depends on more than its seed.'];
  return sentences.map((sentence, at) => `${String(at + 1).padStart(4)}. ${sentence}`);
}

const NOT_PLAYED: Played = { sentences: [], failure: null, digest: '', counts: new Map() };

/** These databases need not survive a power cut. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

/** Our own PostgreSQL, or that of DATABASE_URL, with a migrated database to copy. */
export async function startPostgres(): Promise<TestPostgres & { stop(): Promise<void> }> {
  const { url, stop } = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => undefined }
    : await startEmbedded();
  const template = await createMigratedTemplate(url);
  return {
    url,
    migrated: template.name,
    stop: async () => {
      await template.drop();
      await stop();
    },
  };
}

async function startEmbedded(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-simulation-'));
  const { superuserUrl: url, stop } = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    settings: SETTINGS,
  });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
