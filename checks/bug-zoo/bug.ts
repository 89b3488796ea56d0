/** A mistake that an engineer could make, the rule that it breaks, and the tests that must see it. */
export interface Bug {
  readonly name: string;
  /** The rule that it breaks, in one sentence. */
  readonly rule: string;
  /** Paths begin at the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test files that are run. */
  readonly seenBy: readonly string[];
  /** Runs only the tests that have this in their name, where a whole file takes long. */
  readonly tests?: string;
}

/**
 * The content of the bug's file with the bug in it.
 *
 * @throws Error when the code has changed so that the bug no longer applies.
 */
export function plantBug({ file, find, replace }: Pick<Bug, 'file' | 'find' | 'replace'>, content: string) {
  const occurrences = content.split(find).length - 1;
  if (occurrences !== 1) {
    throw new Error(`The text to replace occurs ${occurrences} times in ${file}, not once: ${find}`);
  }
  // As a function, because a replacement text may hold a dollar sign.
  return content.replace(find, () => replace);
}
