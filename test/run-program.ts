import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { awaitEnd, endProcess } from './end-process.ts';

export type RunningProgram = {
  pid: number;
  /** The next line of its output, as JSON. */
  read: () => Promise<unknown>;
  write: (line: string) => void;
  kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Sends a signal to its whole process group, like Ctrl-C in a terminal. */
  killGroup: (signal: NodeJS.Signals) => Promise<void>;
  /** Resolves with the exit code once it has ended by itself. */
  ended: () => Promise<number | null>;
};

/** Runs a TypeScript file, such as one of a test's own `programs`, in its own process and process group. */
export function runProgram(program: URL, ...args: string[]): RunningProgram {
  const file = fileURLToPath(program);
  const child = spawn(process.execPath, [file, ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} did not start`);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    pid,
    read: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended without an answer`);
      return JSON.parse(value);
    },
    write: (line) => void child.stdin.write(`${line}\n`),
    kill: async (signal) => void (await endProcess(child, signal)),
    killGroup: async (signal) => void (await awaitEnd(child, () => process.kill(-pid, signal))),
    ended: () => awaitEnd(child),
  };
}
