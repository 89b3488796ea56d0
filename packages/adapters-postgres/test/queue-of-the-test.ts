import { type ChildProcess, spawn } from 'node:child_process';
import type { Job } from '@handover/domain';
import { afterEach, beforeEach, inject } from 'vitest';
import { createJobQueue, type JobHandlers, type JobQueue } from '../src/index.ts';
import { IDLE_HANDLERS, openTestStores, type TestStores } from '../src/testing/index.ts';

export const ORG = '00000000-0000-7000-8000-000000000001';

/** Set while a test runs, once its file has called `openQueueAnew`. */
export let opened: TestStores;
/** Errors that the handlers and the queue logged in this test. */
export const errors: unknown[] = [];

const queues: JobQueue[] = [];
const children: ChildProcess[] = [];
const log = { warn: () => undefined, error: ({ err }: { err: unknown }) => errors.push(err) };

/** Gives each test of a file a database of its own with a job queue in it. */
export function openQueueAnew(): void {
  beforeEach(async () => {
    errors.length = 0;
    opened = await openTestStores(inject('postgres'));
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
    await opened.close();
  });
}

export function enqueue(...jobs: Job[]): Promise<void> {
  return opened.database.db.transaction().execute((trx) => opened.queue.enqueue(trx, jobs));
}

/** Works on the queue until the test ends, as another process would. */
export async function startWorking(
  handlers: Partial<JobHandlers>,
  options: { readonly isPressed?: () => boolean } = {},
): Promise<JobQueue> {
  const queue = createJobQueue({ url: opened.url, log, ...options });
  queues.push(queue);
  await queue.start({ ...IDLE_HANDLERS, ...handlers });
  return queue;
}

export function receiptJob(number: number, startAfter = new Date()): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId: ORG, emailId: `receipt ${number}`, startAfter };
}

export function deliveryJob(number: number, startAfter = new Date(), attempts = 0): Job {
  const deliveryId = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return { kind: 'fulfil-delivery', orgId: ORG, deliveryId, attempts, startAfter };
}

/** A real process that takes a job, says so, and never finishes it. */
export function spawnWorker(): ChildProcess {
  const program = `
    import { createJobQueue } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    const queue = createJobQueue({ url: process.argv[1], log: console });
    const take = async () => { console.log('taken'); return new Promise(() => {}); };
    await queue.start({ 'fulfil-delivery': take, 'send-email': take });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, opened.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}
