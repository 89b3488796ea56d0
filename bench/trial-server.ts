import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type pg from 'pg';
import { findEmbeddedPostgres } from '../packages/embedded-postgres/src/index.ts';
import { cleanEnvironment } from '../test/clean-environment.ts';
import { endProcess } from '../test/end-process.ts';
import { query } from '../test/query.ts';
import { readStartCommand } from '../test/start-command.ts';
import { root } from './root.ts';

export interface TrialServer {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Runs a command beside it. Resolves with what it prints with `--json`. */
  run<Result = Readonly<Record<string, string>>>(words: readonly string[]): Promise<Result>;
  /** Runs a statement on its database. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  end(): Promise<void>;
}

interface TrialOptions {
  /** A module that is loaded before the program, and its messages. */
  readonly load?: string;
  readonly onMessage?: (message: unknown) => void;
  readonly env?: Readonly<Record<string, string>>;
}

/** The server as `npm start` runs it, with its demo shop, and with everything in a temporary directory. */
export async function startTrialServer({
  load,
  env: settings = {},
  onMessage = () => {},
}: TrialOptions = {}): Promise<TrialServer> {
  const command = readStartCommand();
  const dataDir = await mkdtemp(join(tmpdir(), 'handover-bench-'));
  const env = { ...cleanEnvironment(), ...command.env, DATA_DIR: dataDir, PORT: '0', ...settings };
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
    const url = await readUrl(createInterface(server.stdout));
    server.stdout.resume();
    const databaseUrl = (await findEmbeddedPostgres(join(dataDir, 'postgres'))) ?? '';
    return {
      url,
      dataDir,
      process: server,
      run: async (words) => {
        const args = [...command.args, ...words, '--json'];
        const { stdout } = await promisify(execFile)(process.execPath, args, { env });
        return JSON.parse(stdout);
      },
      query: (text, values) => query(databaseUrl, text, values),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Read until the tour names the key of the demo shop, which exists then. */
async function readUrl(lines: AsyncIterable<string>): Promise<string> {
  let url = '';
  for await (const line of lines) {
    url = /(http:\/\/localhost:\d+),/.exec(line)?.[1] ?? url;
    if (/hnd_\w+/.test(line)) return url;
  }
  throw new Error('The server did not start.');
}
