import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess } from '../test/end-process.ts';
import { readStartCommand } from '../test/start-command.ts';
import { readMemory, root } from './read-memory.ts';

export interface TrialServer {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** In megabytes: now, or at its peak since the start or the last `forgetPeak`. */
  memory(what: 'VmRSS' | 'VmHWM'): Promise<number>;
  forgetPeak(): Promise<void>;
  end(): Promise<void>;
}

interface TrialOptions {
  /** A module that is loaded before the program, and its messages. */
  readonly load?: string;
  readonly onMessage?: (message: unknown) => void;
  readonly env?: Readonly<Record<string, string>>;
}

/** The server as `npm start` runs it, with everything in a temporary directory. */
export async function startTrialServer({
  load,
  env: settings = {},
  onMessage = () => {},
}: TrialOptions = {}): Promise<TrialServer> {
  const command = readStartCommand();
  const dataDir = await mkdtemp(join(tmpdir(), 'handover-bench-'));
  const env = { ...process.env, ...command.env, DATA_DIR: dataDir, PORT: '0', ...settings };
  const words = [...(load ? ['--import', load] : []), ...command.args, 'serve'];
  const server = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  server.on('message', onMessage);
  // Its output is not read, and must not block the server.
  server.stderr?.resume();
  const end = async () => {
    await endProcess(server);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    if (!server.stdout) throw new Error('The server has no output.');
    const tour = await readTour(createInterface(server.stdout));
    server.stdout.resume();
    return {
      ...tour,
      dataDir,
      process: server,
      memory: (what) => readMemory(server.pid, what),
      forgetPeak: () => writeFile(`/proc/${server.pid}/clear_refs`, '5'),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function readTour(
  lines: AsyncIterable<string>,
): Promise<{ readonly url: string; readonly key: string }> {
  let url = '';
  for await (const line of lines) {
    url = /(http:\/\/localhost:\d+),/.exec(line)?.[1] ?? url;
    const key = /hnd_\w+/.exec(line)?.[0];
    if (key) return { url, key };
  }
  throw new Error('The server did not start.');
}
