import { explainProblems, readSettings, type Settings } from '../src/settings/settings.ts';

/** The settings of that environment, which is right. */
export function settingsOf(environment: Record<string, string>): Settings {
  const read = readSettings(environment);
  if ('problems' in read) throw new Error(explainProblems(read.problems));
  return read.settings;
}
