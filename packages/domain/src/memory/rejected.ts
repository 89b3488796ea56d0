import { chooseKept } from '../fulfilment/share-rejected.ts';
import type { RejectedDeliveries } from '../ports/fulfilment.ts';
import type { Memory } from './memory.ts';

export function createInMemoryRejectedDeliveries({ rejected, rejections }: Memory): RejectedDeliveries {
  const listKept = (orgId: string, platform: string) =>
    [...rejected.values()]
      .filter((row) => row.orgId === orgId && row.platform === platform)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    record: async ({ orgId, platform, count, at, reason, kept }) => {
      const key = `${orgId} ${platform}`;
      const before = rejections.get(key)?.count ?? 0;
      rejections.set(key, { orgId, platform, count: before + count, lastAt: at, lastReason: reason });
      if (!kept) return;
      rejected.set(kept.id, kept);
      const held = listKept(orgId, platform);
      const chosen = chooseKept(held.map(({ id, source, bytes }) => ({ id, source, size: bytes.length })));
      for (const { id } of held) if (!chosen.has(id)) rejected.delete(id);
    },
    list: async (orgId, platform, since) =>
      listKept(orgId, platform).filter(({ receivedAt }) => receivedAt >= since),
    summary: async (orgId) =>
      [...rejections.values()]
        .filter((row) => row.orgId === orgId)
        .map(({ orgId: _, ...row }) => ({ ...row, kept: listKept(orgId, row.platform).length }))
        .sort((a, b) => (a.platform < b.platform ? -1 : 1)),
    sweep: async (before) => {
      const old = [...rejected.values()].filter(({ receivedAt }) => receivedAt < before);
      for (const { id } of old) rejected.delete(id);
      return old.length;
    },
  };
}
