import type { SettingProblem } from './settings.ts';

/** Every problem of the settings, in one message. */
export function explainProblems(problems: readonly SettingProblem[]): string {
  const count = problems.length === 1 ? 'One setting needs you' : `${problems.length} settings need you`;
  return [`${count}:`, ...problems.map(({ name, problem }) => `  ${name} ${problem}`)].join('\n');
}
