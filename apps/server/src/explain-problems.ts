import type { SettingProblem } from './settings.ts';

/** Everything that is wrong with the settings, in one message. */
export function explainProblems(problems: readonly SettingProblem[]): string {
  const count = problems.length === 1 ? 'One setting needs you' : `${problems.length} settings need you`;
  return [`${count}:`, ...problems.map(({ name, problem }) => `  ${name} ${problem}`)].join('\n');
}
