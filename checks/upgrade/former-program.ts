import { execFile, execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../bench/root.ts';
import { cleanEnvironment } from '../../test/clean-environment.ts';
import { readStartCommand, type StartCommand } from '../../test/start-command.ts';
import type { Environment } from '../chaos/shop.ts';

/** A version of the program: its server and its commands. */
export interface Program {
  readonly name: string;
  readonly command: StartCommand;
  run<T>(environment: Environment, words: readonly string[]): Promise<T>;
}

export function openCurrentProgram(): Program {
  return openProgram('this version', readStartCommand());
}

const MIGRATIONS = 'packages/adapters-postgres/src/migrations';

/** The version before the newest migration, or that of a commit, in a folder of its own. It is installed and built. */
export async function openFormerProgram(directory: string, commit: string | null): Promise<Program> {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const newest = () => git('log', '-1', '--format=%H', '--diff-filter=A', '--', `${MIGRATIONS}/0*.ts`);
  const chosen = git('rev-parse', '--short', commit ?? `${newest()}^`);
  const folder = join(directory, 'former');
  await mkdir(folder);
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', chosen, folder], { cwd: root });
  const npx = [
    '-y',
    '-p',
    'node@24',
    '-p',
    'pnpm@12',
    'pnpm',
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
  ];
  execFileSync('npx', npx, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const launcher = join(folder, 'bin/handover');
  const printed = execFileSync(process.execPath, [launcher, 'start-command'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return openProgram(`the version of ${chosen}`, JSON.parse(printed));
}

function openProgram(name: string, command: StartCommand): Program {
  return {
    name,
    command,
    run: async (environment, words) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...command.args, ...words, '--json'], {
        env: { ...cleanEnvironment(), ...command.env, PORT: '0', ...environment },
      });
      return JSON.parse(stdout);
    },
  };
}
