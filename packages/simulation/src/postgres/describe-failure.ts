import { drawHistory } from '../history.ts';
import type { Played } from '../play.ts';
import { shrink } from '../shrink.ts';
import type { SimulatedPostgres } from './open-postgres.ts';
import { playOnPostgres } from './play-on-postgres.ts';

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
