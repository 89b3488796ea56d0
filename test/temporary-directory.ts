import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoLater } from './undo.ts';

/** A new directory, which is removed after the test, or after the tests that share it. */
export async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-test-'));
  undoLater(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}
