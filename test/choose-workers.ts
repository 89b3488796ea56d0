import { availableMemory } from 'node:process';

/** What a worker needs at most with the programs that it starts: a browser, servers and databases. */
const WORKER_BYTES = 1.5 * 2 ** 30;

/** How many test files run at once. */
export function chooseWorkers(freeBytes = availableMemory()): number {
  return freeBytes < 6 * WORKER_BYTES ? 4 : 6;
}
