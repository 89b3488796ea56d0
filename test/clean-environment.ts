/** For a program that is tried: only its own settings, and none of those of the person who tries it. */
export function cleanEnvironment(): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}) };
}
