import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * An upload that received no byte for this long is abandoned. The result of a completed upload is kept for
 * the same time.
 */
export const GIVEN_UP_AFTER_MS = 72 * 60 * 60 * 1000;

/** Removes abandoned uploads. Never rejects: the next run removes what this one could not. */
export async function removeGivenUp(directory: string): Promise<void> {
  const uploads = Map.groupBy(await readdir(directory).catch(() => []), (name) =>
    name.replace(/\.(json|completed|completing)$/, ''),
  );
  for (const names of uploads.values()) {
    const paths = names.map((name) => join(directory, name));
    const touched = await Promise.all(paths.map(lastTouched));
    if (Date.now() - Math.max(...touched) < GIVEN_UP_AFTER_MS) continue;
    await Promise.allSettled(paths.map((path) => rm(path, { force: true })));
  }
}

export async function lastTouched(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
