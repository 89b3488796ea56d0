import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { endProcess } from '../../test/end-process.ts';
import { parseEnvironmentFile, parseUnit } from './deploy-files.ts';

const run = promisify(execFile);

/** A service that runs, as its supervisor sees it. */
export interface Running {
  /** Its log so far. */
  log(): string;
  /** SIGTERM, as a supervisor stops it. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Runs a shell script as root with the system's own programs only, and returns its output. Throws if it fails. */
export async function shell(
  script: string,
  env: Readonly<Record<string, string>> = {},
  cwd = '/',
): Promise<string> {
  const options = { cwd, env: { PATH: SYSTEM_PATH, HOME: '/root', ...env } };
  const { stdout } = await run('sh', ['-euc', script], options).catch(({ stdout: said, stderr }) => {
    throw new Error(`${script}\n${said}${stderr}`);
  });
  return stdout;
}

/** What systemd gives to services, and Debian to root. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Starts an installed unit as systemd does: its user, environment, directories and command, without capabilities, and
 * with a file system that is read-only but for its own directories.
 */
export async function startUnit(name: string): Promise<Running> {
  const file = `/etc/systemd/system/${name.replace(/@.*/, '@')}.service`;
  const { Service: service = {} } = parseUnit(readFileSync(file, 'utf8'));
  const one = (key: string) => service[key]?.at(-1) ?? '';
  const [, instance = ''] = name.split('@');
  const expand = (text: string) =>
    text.replaceAll('%S', '/var/lib').replaceAll('%C', '/var/cache').replaceAll('%i', instance);
  const owned = [
    ['/var/lib', one('StateDirectory'), one('StateDirectoryMode')],
    ['/var/cache', one('CacheDirectory'), one('CacheDirectoryMode')],
  ].map(([above, directory, mode]) => ({ path: `${above}/${directory}`, mode }));
  for (const { path, mode } of owned) {
    await shell(`install --directory --mode=${mode} --owner=${one('User')} --group=${one('Group')} ${path}`);
  }
  const pairs = (service.Environment ?? []).map((pair) => expand(pair).split(/=(.*)/s).slice(0, 2));
  return startConfined({
    command: one('ExecStart').split(' '),
    user: one('User'),
    group: one('Group'),
    cwd: expand(one('WorkingDirectory')),
    umask: one('UMask'),
    writable: owned.map(({ path }) => path),
    env: {
      PATH: SYSTEM_PATH,
      HOME: '/var/lib/handover',
      ...Object.fromEntries(pairs),
      ...readEnvironmentFiles((service.EnvironmentFile ?? []).map(expand)),
    },
  });
}

/** In their order. A file after a hyphen may be missing. */
function readEnvironmentFiles(paths: readonly string[]): Readonly<Record<string, string>> {
  const there = paths.filter((path) => !path.startsWith('-') || existsSync(path.slice(1)));
  const read = there.map((path) => parseEnvironmentFile(readFileSync(path.replace(/^-/, ''), 'utf8')));
  return Object.assign({}, ...read);
}

export interface Confined {
  readonly command: readonly string[];
  /** Names or numbers. */
  readonly user: string;
  readonly group: string;
  readonly cwd: string;
  readonly umask: string;
  /** The only directories that it can write to, besides a /tmp of its own. */
  readonly writable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function startConfined(confined: Confined): Running {
  const [command = '', ...words] = confine(confined);
  const child = spawn(command, words, { cwd: '/', env: confined.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (log += text));
  return {
    log: () => log,
    stop: () => endProcess(child),
  };
}

/** The same to its end, for its output. */
export async function runConfined(confined: Confined): Promise<string> {
  const [command = '', ...words] = confine(confined);
  return (await run(command, words, { cwd: '/', env: confined.env })).stdout;
}

/** A command whose process becomes the service. */
function confine({ command, user, group, cwd, umask, writable }: Confined): readonly string[] {
  const script = [
    ...writable.map((path) => `mount --bind ${path} ${path}`),
    ...['/', '/etc', '/var', '/opt', '/usr/local'].map((path) => `mount -o remount,bind,ro ${path}`),
    'mount -t tmpfs -o mode=1777 tmpfs /tmp',
    `cd ${cwd}`,
    `umask ${umask}`,
    'exec "$@"',
  ].join(' && ');
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
  const setpriv = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', ...rights, '--'];
  return ['unshare', '--mount', '--', 'sh', '-euc', script, 'sh', ...setpriv, ...command];
}
