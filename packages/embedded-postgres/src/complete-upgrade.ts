import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathsOf } from './cluster.ts';

/** After a crash between the two renames, the next start does the second one. */
export async function completeUpgrade(directory: string): Promise<void> {
  const { root, made, complete } = upgradePaths(directory);
  const { data } = pathsOf(directory);
  if ((await exists(data)) || !(await exists(complete))) return;
  await rename(join(made, 'data'), data);
  await rm(root, { recursive: true, force: true });
}

/** `complete` is there once the new data is. */
export function upgradePaths(directory: string) {
  const root = join(pathsOf(directory).directory, 'upgrade');
  return { root, made: join(root, 'new'), complete: join(root, 'complete') };
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
