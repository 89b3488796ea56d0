import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../bench/root.ts';
import { cleanEnvironment } from '../../test/clean-environment.ts';
import { endProcess } from '../../test/end-process.ts';
import { readStartCommand } from '../../test/start-command.ts';
import type { ProgramName } from './plan-faults.ts';

/** One process of the real server, which is restarted when it is killed. */
export interface Program {
  readonly name: ProgramName;
  /** Null while it is not ready to serve; always null for a worker. */
  url(): string | null;
  /** Kills it; resolves when it has ended. */
  kill(): Promise<void>;
  /** Resolves when it serves, or works. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  setClock(aheadMs: number): void;
  /** How often it ended unexpectedly. */
  endedByItself(): number;
  isReady(): boolean;
}

const shiftClock = new URL('./shift-clock.js', import.meta.url).href;

/** `env`: its settings. Its output is kept in `NAME.log` of the directory. */
export async function openProgram(
  name: ProgramName,
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<Program> {
  const log = createWriteStream(join(directory, `${name}.log`));
  let child: ChildProcess | null = null;
  let url: string | null = null;
  let isReady = false;
  let expected = false;
  let crashes = 0;

  const start = async (): Promise<void> => {
    expected = false;
    const started = spawnServer(env);
    child = started;
    started.on('error', () => undefined);
    started.stderr?.pipe(log, { end: false });
    const ready = Promise.withResolvers<void>();
    if (started.stdout) {
      createInterface(started.stdout).on('line', (line) => {
        log.write(`${line}\n`);
        if (isReady || !/"listening at|"working"/.test(line)) return;
        url = /listening at (http:[^" ]+)/.exec(line)?.[1] ?? null;
        isReady = true;
        ready.resolve();
      });
    }
    started.once('exit', (code, signal) => {
      log.write(`-- ended: ${code ?? signal}\n`);
      if (child !== started) return;
      url = null;
      isReady = false;
      child = null;
      ready.resolve();
      if (expected) return;
      crashes += 1;
      void start();
    });
    await ready.promise;
  };

  return {
    name,
    url: () => url,
    isReady: () => isReady,
    endedByItself: () => crashes,
    start,
    kill: async () => {
      expected = true;
      if (child !== null) await endProcess(child, 'SIGKILL');
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    setClock: (aheadMs) => {
      if (child?.connected) child.send({ clockAheadMs: aheadMs }, () => undefined);
    },
  };
}

function spawnServer(env: Readonly<Record<string, string>>) {
  const command = readStartCommand();
  return spawn(process.execPath, ['--import', shiftClock, ...command.args, 'serve'], {
    cwd: root,
    env: { ...cleanEnvironment(), ...command.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}
