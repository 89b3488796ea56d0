import type { FileStore } from '../ports/catalogue.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContentAddress, StoredContents } from '../ports/contents.ts';

/**
 * Keeps a content for a file that is about to refer to it. `removing`: the same content is removed from the file store at this
 * moment, so it cannot be stored before that is over.
 */
export function keepContent(
  { clock, contents }: { readonly clock: Clock; readonly contents: Pick<StoredContents, 'keep'> },
  content: ContentAddress,
): Promise<'kept' | 'removing'> {
  return contents.keep(content, new Date(clock.now().getTime() - CLAIM_MS));
}

/** Removes the contents that no file has referred to for so many days. Answers with their number. */
export async function removeOldContents(
  {
    clock,
    contents,
    files,
  }: {
    readonly clock: Clock;
    readonly contents: Pick<StoredContents, 'claim' | 'forget'>;
    readonly files: Pick<FileStore, 'remove'>;
  },
  keepDays: number,
): Promise<number> {
  const endsAt = clock.now().getTime() + RUN_MS;
  let removed = 0;
  for (;;) {
    const now = clock.now();
    const dueAt = new Date(now.getTime() + keepDays * DAY_MS);
    const retryAt = new Date(now.getTime() + DAY_MS);
    const { count, unreferenced } = await contents.claim({ now, dueAt, retryAt, limit: BATCH });
    for (const content of unreferenced) {
      // A process that stood still may not remove what was stored again after its claim.
      if (clock.now().getTime() > endsAt) return removed;
      await files.remove(content.orgId, content.sha256);
      await contents.forget(content, now);
      removed += 1;
    }
    if (count < BATCH || clock.now().getTime() > endsAt) return removed;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;
/** What is left over is for the next run. */
const RUN_MS = 60_000;
/** Much longer than a run and a request to the file store, so that none removes anything after its claim. */
const CLAIM_MS = 15 * 60_000;
