import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../../../../test/clean-environment.ts';
import { awaitEnd, endProcess } from '../../../../test/end-process.ts';
import { readStartCommand } from '../../../../test/start-command.ts';
import { undoLater } from '../../../../test/undo.ts';
import { runProgram } from '../../src/cli/program.ts';

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** All output so far. */
  printed(): string;
  /** Resolves with the first matching line, printed already or later. */
  waitForLine(pattern: RegExp): Promise<string>;
  /** Resolves with the exit code once the process has ended by itself. */
  ended(): Promise<number | null>;
  /** Sends a signal, waits for the end, and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export type Environment = Readonly<Record<string, string>>;

const program = readStartCommand();
const traceServer = fileURLToPath(new URL('../programs/trace-server.ts', import.meta.url));

/** The program as `npm start` runs it, in its own process, once it is ready. It ends with the test at the latest. */
export function startServer(environment: Environment): Promise<ServerProcess> {
  return whenReady(spawnServer(environment));
}

/** The same, with the most detailed log. */
export function startTracedServer(environment: Environment): Promise<ServerProcess> {
  return whenReady(spawnServer(environment, ['--conditions=handover-source', traceServer]));
}

async function whenReady(server: ServerProcess): Promise<ServerProcess> {
  const line = await server.waitForLine(/"listening at|"working"/);
  const url = /listening at (http:[^" ]+)/.exec(line)?.[1] ?? '';
  return { ...server, url };
}

export function spawnServer(environment: Environment, args = [...program.args, 'serve']): ServerProcess {
  const child = spawn(process.execPath, args, { env: programEnvironment(environment) });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      for (const listener of listeners) listener();
    });
  }
  child.once('exit', () => {
    for (const listener of listeners) listener();
  });
  const end = (signal?: NodeJS.Signals) => endProcess(child, signal);
  undoLater(() => end());
  return {
    url: '',
    pid: child.pid ?? 0,
    printed: () => lines.join('\n'),
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = lines.find((candidate) => pattern.test(candidate));
          if (line !== undefined) resolve(line);
          else if (child.exitCode !== null || child.signalCode !== null)
            reject(new Error(`The server ended:\n${lines.join('\n')}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    ended: () => awaitEnd(child),
    end,
  };
}

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line, as `npm run handover` runs it. */
export function runCli(
  environment: Environment,
  words: readonly string[],
  input = '',
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const args = [...program.args, ...words];
    const env = programEnvironment(environment);
    const child = execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** The command line in a process that a test can end. */
export function spawnCli(
  environment: Environment,
  words: readonly string[],
): {
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** What it said of errors so far. */
  readonly readErrors: () => string;
} {
  const env = programEnvironment(environment);
  const child = spawn(process.execPath, [...program.args, ...words], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  undoLater(() => endProcess(child, 'SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once('exit', resolve);
  return { end: (signal) => endProcess(child, signal), ended, readErrors: () => errors };
}

/**
 * The command line in this process: its output and its exit code. A separate process takes longer to load the program
 * than the command takes; `runCli` starts one. `ask`: the answer of a person at a terminal.
 */
export async function runCliHere(
  environment: Environment,
  words: readonly string[],
  ask?: (question: string) => Promise<string | null>,
): Promise<CommandOutcome> {
  const said = { code: 0, stdout: '', stderr: '' };
  const output = {
    out: (text: string) => {
      said.stdout += `${text}\n`;
    },
    err: (text: string) => {
      said.stderr += `${text}\n`;
    },
    fail: () => {
      said.code = 1;
    },
    // A hundredth of a second instead of one, and so in each program that opens it.
    passphraseWork: 10,
    ...(ask ? { ask } : {}),
  };
  await runProgram({ ...cleanEnvironment(), PORT: '0', ...environment }, words, output);
  return said;
}

/** The same with --json: its parsed output. */
export async function runCliForJson<T>(environment: Environment, words: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runCliHere(environment, [...words, '--json']);
  if (code !== 0) throw new Error(`${words.join(' ')} failed: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

function programEnvironment(environment: Environment): Environment {
  return { ...cleanEnvironment(), ...program.env, PORT: '0', ...environment };
}
