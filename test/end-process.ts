import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends a signal to a process that may have ended already. Resolves with its exit code; null: a signal ended it. */
export function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  return awaitEnd(child, () => child.kill(signal));
}

/** The same, once `act` has told the process to end. */
export async function awaitEnd(
  child: ChildProcess,
  act: () => unknown = () => undefined,
): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    act();
    await ended;
  }
  return child.exitCode;
}
