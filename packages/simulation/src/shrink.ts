import type { History, Step } from './history.ts';
import { type Played, play } from './play.ts';

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
