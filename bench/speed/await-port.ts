import type { ChildProcess } from 'node:child_process';

/** The port that a forked server tells once it listens. Rejects if it ends before, also by a signal. */
export function awaitPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve(Number(port)));
    child.once('error', reject);
    child.once('exit', () => reject(new Error('It ended before it listened.')));
  });
}
