import type { FileStore } from '../ports/catalogue.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContentAddress, StoredContents } from '../ports/contents.ts';

/**
 * Keeps a content for a file that will refer to it. `removing`: the same content is being removed from the file store, and
 * cannot be stored until that has ended.
 */
export function keepContent(
  { clock, contents }: { readonly clock: Clock; readonly contents: Pick<StoredContents, 'keep'> },
  content: ContentAddress,
): Promise<'kept' | 'removing'> {
  return contents.keep(content, new Date(clock.now().getTime() - CLAIM_MS));
}

/**
 * Removes the contents that no file has referred to for `keepDays`, and returns their number. A content that cannot be
 * removed is tried again a day later; the error is thrown after the others were removed.
 */
export async function removeOldContents(ports: RemovePorts, keepDays: number): Promise<number> {
  const endsAt = ports.clock.now().getTime() + RUN_MS;
  let removed = 0;
  let failed = 0;
  let cause: unknown;
  for (let isMore = true; isMore; ) {
    const claimed = await claimDue(ports, keepDays);
    for (const content of claimed.unreferenced) {
      // A process that was frozen must not remove a content that was stored again after its claim.
      if (ports.clock.now().getTime() > endsAt) break;
      try {
        await ports.files.remove(content.orgId, content.sha256);
        await ports.contents.forget(content, claimed.at);
        removed += 1;
      } catch (error) {
        cause ??= error;
        failed += 1;
      }
    }
    isMore = claimed.count === BATCH && ports.clock.now().getTime() <= endsAt;
  }
  if (failed > 0)
    throw new Error(`${failed} contents could not be removed; ${removed} others were.`, { cause });
  return removed;
}

interface RemovePorts {
  readonly clock: Clock;
  readonly contents: Pick<StoredContents, 'claim' | 'forget'>;
  readonly files: Pick<FileStore, 'remove'>;
}

async function claimDue({ clock, contents }: RemovePorts, keepDays: number) {
  const at = clock.now();
  const dueAt = new Date(at.getTime() + keepDays * DAY_MS);
  const retryAt = new Date(at.getTime() + DAY_MS);
  return { at, ...(await contents.claim({ now: at, dueAt, retryAt, limit: BATCH })) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;
/** The next run removes the rest. */
const RUN_MS = 60_000;
/** Much longer than a run and a request to the file store, so that nothing is removed after its claim has expired. */
const CLAIM_MS = 15 * 60_000;
