import type { StoredContents } from '../ports/contents.ts';
import type { Memory } from './memory.ts';

export function createInMemoryContents(memory: Memory): StoredContents {
  const { contents } = memory;
  return {
    keep: async ({ orgId, sha256 }, expiredBefore) => {
      const claimedAt = contents.get(keyOf(orgId, sha256))?.claimedAt ?? null;
      if (claimedAt !== null && claimedAt > expiredBefore) return 'removing';
      contents.set(keyOf(orgId, sha256), { orgId, sha256, dueAt: null, claimedAt: null });
      return 'kept';
    },
    claim: async ({ now, dueAt, retryAt, limit }) => {
      for (const [key, row] of contents) if (row.dueAt === null) contents.set(key, { ...row, dueAt });
      const due = [...contents.values()]
        .filter((row) => row.dueAt !== null && row.dueAt <= now)
        .sort((a, b) => (a.dueAt?.getTime() ?? 0) - (b.dueAt?.getTime() ?? 0))
        .slice(0, limit);
      const unreferenced = due.filter(({ orgId, sha256 }) => !isReferenced(memory, orgId, sha256));
      for (const row of due) {
        const key = keyOf(row.orgId, row.sha256);
        if (unreferenced.includes(row)) contents.set(key, { ...row, dueAt: retryAt, claimedAt: now });
        else contents.delete(key);
      }
      return {
        count: due.length,
        unreferenced: unreferenced.map(({ orgId, sha256 }) => ({ orgId, sha256 })),
      };
    },
    forget: async ({ orgId, sha256 }, claimedAt) => {
      const row = contents.get(keyOf(orgId, sha256));
      if (row?.claimedAt?.getTime() === claimedAt.getTime()) contents.delete(keyOf(orgId, sha256));
    },
  };
}

/** Adds the content of a file that was removed or replaced. */
export function addContent({ contents }: Memory, orgId: string, sha256: string): void {
  const claimedAt = contents.get(keyOf(orgId, sha256))?.claimedAt ?? null;
  contents.set(keyOf(orgId, sha256), { orgId, sha256, dueAt: null, claimedAt });
}

function isReferenced({ files, versions }: Memory, orgId: string, sha256: string): boolean {
  return [...files].some(
    ([versionId, of]) =>
      versions.get(versionId)?.orgId === orgId && of.some((file) => file.sha256 === sha256),
  );
}

function keyOf(orgId: string, sha256: string): string {
  return `${orgId} ${sha256}`;
}
