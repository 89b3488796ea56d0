import type { Verdict } from './check-mutants.ts';

const MIN_SCORE = 95;

/** What of each group is not in order, what to do about it, the scores, and whether all is well. */
export function reportVerdicts(verdicts: readonly (readonly [group: string, verdict: Verdict])[]): {
  readonly lines: readonly string[];
  readonly isWell: boolean;
} {
  const unlisted = verdicts.flatMap(([, verdict]) => verdict.unlisted);
  const outdated = verdicts.flatMap(([, verdict]) => verdict.outdated);
  const low = verdicts.filter(([, { score }]) => score < MIN_SCORE).map(([group]) => group);
  return {
    lines: [
      ...unlisted.map(
        ({ file, lineNumber, line, change }) =>
          `Survived, and is not in checks/mutation/survivors: ${file}:${lineNumber}\n  ${line}\n  ${change}`,
      ),
      ...outdated.map(
        ({ file, line, change }) =>
          `No longer survives, but is in checks/mutation/survivors: ${file}\n  ${line}\n  ${change}`,
      ),
      ...verdicts.map(
        ([group, { killed, survived, score }]) =>
          `${group.padEnd(10)} ${killed} killed, ${survived} survived: ${score.toFixed(1)} %`,
      ),
      ...(unlisted.length > 0
        ? [
            `Unlisted survivors: ${unlisted.length}. Write a test that kills each. Where the changed program does the same, ` +
              'add it to checks/mutation/survivors with the reason.',
          ]
        : []),
      ...(outdated.length > 0
        ? [`Stale entries: ${outdated.length}. Remove each from checks/mutation/survivors.`]
        : []),
      ...(low.length > 0
        ? [`Below ${MIN_SCORE} %: ${low.join(', ')}. Write tests that kill more of its mutants.`]
        : []),
    ],
    isWell: unlisted.length === 0 && outdated.length === 0 && low.length === 0,
  };
}
