import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../checks/chaos/shop.ts';
import { cleanEnvironment } from '../../test/clean-environment.ts';
import { endProcess } from '../../test/end-process.ts';
import { readStartCommand } from '../../test/start-command.ts';
import { readMemory } from '../read-memory.ts';
import { root } from '../root.ts';

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** In megabytes: now, or at its peak since the start or the last `forgetPeak`. */
  memory(what: 'VmRSS' | 'VmHWM'): Promise<number>;
  forgetPeak(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Stops it like an operator: accepted work is finished. */
  stop(): Promise<void>;
}

/** The server as `npm start` runs it. Its log goes to a file directly, because this process has other work to do. */
export async function startServer(
  env: Environment,
  logFile: string,
  command = readStartCommand(),
): Promise<ServerProcess> {
  const log = await open(logFile, 'w');
  const child = spawn(process.execPath, [...command.args, 'serve'], {
    cwd: root,
    env: { ...cleanEnvironment(), ...command.env, PORT: '0', ...env },
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const url = await readUrl(child, logFile, env);
  const { pid = 0 } = child;
  return {
    url,
    pid,
    memory: (what) => readMemory(pid, what),
    forgetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    stop: async () => void (await endProcess(child)),
  };
}

async function readUrl(child: ChildProcess, logFile: string, env: Environment): Promise<string> {
  for (;;) {
    const text = await readFile(logFile, 'utf8');
    const url = /listening at (http:[^" ]+)/.exec(text)?.[1];
    if (env.ROLE === 'worker' && text.includes('"working"')) return '';
    if (url) return url.replace('localhost', '127.0.0.1');
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server did not start:\n${text}`);
    await pause(20);
  }
}
