import type { History, Step } from './history.ts';
import { forbidChance } from './kernel/forbid-chance.ts';
import { createRandom } from './kernel/random.ts';
import { COMPLETE_WITHIN_MS, LIVENESS_RULES } from './rules/liveness.ts';
import { checkMetrics } from './rules/metrics.ts';
import { findBrokenRule, SAFETY_RULES } from './rules/safety.ts';
import { openWorld, type World } from './world/open-world.ts';

/** The result of a history. */
export interface Played {
  /** The events, one sentence for each step. */
  readonly sentences: readonly string[];
  /** The first rule that was broken. */
  readonly failure: Error | null;
  /** Equal for two runs of one history, and hardly ever for two histories. */
  readonly digest: string;
  /** How often each call, answer and outcome occurred. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The maximum number of turns after a step; the rest of its work continues beside the next steps. */
const MAX_TURNS = 80;

/** Plays a history to its end, or to the first broken rule; then faults end, and everything must complete. */
export function play(history: History): Promise<Played> {
  return forbidChance(() => playSteps(history));
}

async function playSteps(history: History): Promise<Played> {
  const world = await openWorld(history.seed);
  const sentences: string[] = [];
  let failure: Error | null = null;
  for (const step of history.steps) {
    sentences.push(await take(world, step));
    await checkMetrics(world);
    failure = findBrokenRule(world, SAFETY_RULES);
    if (failure) break;
  }
  if (!failure) {
    sentences.push('Faults end.');
    await heal(world);
    failure = findBrokenRule(world, { ...SAFETY_RULES, ...LIVENESS_RULES });
  }
  world.trace.count('rule: nothing crosses organisations', world.organisations.countCalls());
  return { sentences, failure, digest: world.trace.digest(), counts: world.trace.counts };
}

async function take(world: World, { action, seed }: Step): Promise<string> {
  const random = createRandom(seed);
  world.random = random;
  world.scheduler.reseed(random);
  world.pendingWait = 0;
  world.acting = action.name;
  world.trace.note(action.name);
  const sentence = action.begin(world);
  if (sentence !== null) world.trace.count(`action: ${action.name}`);
  await world.scheduler.runTurns(random.below(MAX_TURNS));
  if (world.pendingWait > 0) await world.scheduler.runFor(world.pendingWait);
  return sentence ?? `There is nothing to which this could happen: ${action.name}.`;
}

async function heal(world: World): Promise<void> {
  world.faultsPerMille = 0;
  world.mailServer.setWeather('accepts');
  world.ofAnotherVersion.clear();
  for (const slot of world.slots) slot.process.skewClock(0);
  await world.scheduler.runFor(COMPLETE_WITHIN_MS);
}

/** The shortest history found that still breaks a rule: it removes steps, many at first and then one by one. */
export async function shrink(
  history: History,
  playOne: (history: History) => Promise<Played> = play,
): Promise<{ readonly history: History; readonly played: Played }> {
  let steps = history.steps;
  let played = await playOne(history);
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < steps.length; ) {
      const fewer: readonly Step[] = [...steps.slice(0, at), ...steps.slice(at + size)];
      const tried = await playOne({ ...history, steps: fewer });
      if (tried.failure) [steps, played] = [fewer, tried];
      else at += size;
    }
  }
  return { history: { ...history, steps }, played };
}
