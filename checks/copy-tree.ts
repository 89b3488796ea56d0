import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TreeCopy {
  readonly directory: string;
  remove(): Promise<void>;
}

/** Copies the working tree as it is, changes that are not committed included. Dependencies are shared. */
export async function copyTree(root: string): Promise<TreeCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-bug-zoo-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const files = listFiles(root);
    for (const file of files) await cp(join(root, file), join(directory, file));
    for (const file of files.filter((name) => /(^|\/)package\.json$/.test(name))) {
      await linkDependencies(join(root, dirname(file)), join(directory, dirname(file)));
    }
    return { directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Tracked and new files, without those that are ignored or deleted. */
function listFiles(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)));
}

/**
 * Copies the links of pnpm as they are written: they are relative, so that packages of the workspace resolve within the
 * copy. Only the store behind them is shared. Caches are left out: each copy writes its own.
 */
async function linkDependencies(from: string, to: string): Promise<void> {
  const source = join(from, 'node_modules');
  if (!existsSync(source)) return;
  const target = join(to, 'node_modules');
  await mkdir(target);
  for (const name of await readdir(source)) {
    if (name === '.pnpm') await symlink(join(source, name), join(target, name));
    else if (!name.startsWith('.')) {
      await cp(join(source, name), join(target, name), { recursive: true, verbatimSymlinks: true });
    }
  }
}
