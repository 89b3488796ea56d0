import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { awaitEnd } from '../../test/end-process.ts';
import type { Verdict } from './evaluate-run.ts';

export interface TestRequest {
  readonly seenBy: readonly string[];
  /** A part of the names of the tests to run; null: all of them. */
  readonly tests: string | null;
  /** The files that were changed for this run, and are changed back after it. */
  readonly changed: readonly string[];
}

/** Runs the tests of one copy of the repository, one request at a time. */
export interface TestServer {
  run(request: TestRequest): Promise<Verdict>;
  stop(): Promise<void>;
}

/** What takes longer hangs. */
const RUN_TIMEOUT_MS = 300_000;

/** The process begins with the first request, and anew after one that it did not answer. */
export function createTestServer(directory: string): TestServer {
  let running: ChildProcess | null = null;
  return {
    run: async (request) => {
      running ??= await start(directory);
      try {
        running.send(request);
        return (await receive(running)) as Verdict;
      } catch (error) {
        running.kill('SIGKILL');
        running = null;
        throw error;
      }
    },
    stop: async () => {
      if (running?.connected) await awaitEnd(running, () => running?.disconnect());
    },
  };
}

async function start(directory: string): Promise<ChildProcess> {
  const server = fork('checks/bug-zoo/serve-tests.ts', {
    cwd: directory,
    // With CI, properties try the same cases each time, so that a verdict can be repeated.
    env: { ...process.env, CI: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await receive(server);
  return server;
}

async function receive(server: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]);
  const ended = once(server, 'exit', { signal }).then(() => {
    throw new Error('The process that runs the tests ended.');
  });
  try {
    const [message] = await Promise.race([once(server, 'message', { signal }), ended]);
    return message;
  } finally {
    done.abort();
  }
}
