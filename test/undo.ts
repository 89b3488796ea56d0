import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, onTestFinished, type TestContext } from 'vitest';

type Undo = () => Promise<void>;
type Schedule = (undo: Undo) => void;

const schedule = new AsyncLocalStorage<Schedule>();

/** Undoes something after the test; or, if all tests of a file share it, after all of them. */
export function undoLater(undo: () => unknown): void {
  const scheduleHere = schedule.getStore() ?? onTestFinished;
  scheduleHere(async () => {
    await undo();
  });
}

/** Opens once what the tests of the calling file share. */
export function shareInFile<T extends object>(open: () => Promise<T>): () => T {
  const undos: Undo[] = [];
  let shared: T | undefined;
  beforeAll(async () => {
    shared = await schedule.run((undo) => undos.push(undo), open);
  });
  afterAll(async () => {
    const failures: unknown[] = [];
    for (const undo of undos.reverse()) await undo().catch((error) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'Not all could be undone.');
  });
  return () => {
    if (!shared) throw new Error('It is there only while tests run.');
    return shared;
  };
}

/** For `it.concurrent`: with concurrent tests, only the context tells which test something belongs to. */
export function beside(test: () => Promise<void>): (context: TestContext) => Promise<void> {
  return (context) => schedule.run(context.onTestFinished, test);
}
