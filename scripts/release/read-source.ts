import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a release is built from. */
export interface Source {
  readonly version: string;
  readonly commit: string;
  /** Whether the work tree differs from the commit. */
  readonly isChanged: boolean;
  /** The time that each of its files has, so that one commit gives one tarball: of the commit, or SOURCE_DATE_EPOCH. */
  readonly madeAt: Date;
}

export function readSource(root: string): Source {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const { version } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'));
  const isChanged = git('status', '--porcelain') !== '';
  const seconds = process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct');
  return {
    version,
    commit: `${git('rev-parse', 'HEAD')}${isChanged ? '-changed' : ''}`,
    isChanged,
    madeAt: new Date(Number(seconds) * 1000),
  };
}
