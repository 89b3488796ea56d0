import { chooseKept } from '../fulfilment/share-rejected.ts';
import { subjectOfRejected } from '../model/dismissal.ts';
import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import type { RejectedDeliveries } from '../ports/fulfilment.ts';
import { raiseAlert } from './alerts.ts';
import { isNeeded, isNotAccepted, isRejectedDismissed } from './collected-alerts.ts';
import { type Memory, rowsWhere } from './memory.ts';
import type { RejectedRow } from './rows.ts';

export function createInMemoryRejectedDeliveries(memory: Memory): RejectedDeliveries {
  const { dismissals, rejected, rejections } = memory;
  const listKept = (orgId: string, platform: string) =>
    [...rowsWhere(rejected, { orgId, platform })].sort((a, b) => (a.id < b.id ? -1 : 1));
  const countNeeded = (orgId: string, platform: string) =>
    listKept(orgId, platform).filter((row) => isNeeded(memory, row)).length;
  return {
    record: async ({ orgId, platform, count, at, reason, kept, alert }) => {
      const key = `${orgId} ${platform}`;
      const before = rejections.get(key)?.count ?? 0;
      rejections.set(key, { orgId, platform, count: before + count, lastAt: at, lastReason: reason });
      if (!kept) return;
      rejected.set(kept.id, { ...kept, isGenuine: Boolean(alert) });
      const held = listKept(orgId, platform);
      const chosen = chooseKept(held.map(({ bytes, ...row }) => ({ ...row, size: bytes.length })));
      for (const { id } of held) if (!chosen.has(id)) rejected.delete(id);
      if (alert) raiseAlert(memory, alert);
    },
    list: async (orgId, platform, since) =>
      listKept(orgId, platform)
        .filter((row) => row.receivedAt >= since && isNeeded(memory, row))
        .map(toRejectedDelivery),
    listDismissed: async (orgId, platform, since) =>
      listKept(orgId, platform)
        .filter((row) => row.receivedAt >= since && isRejectedDismissed(memory, row))
        .filter((row) => isNotAccepted(memory, row))
        .map(toRejectedDelivery),
    summary: async (orgId) =>
      rowsWhere(rejections, { orgId })
        .map(({ orgId: _, ...row }) => ({ ...row, kept: countNeeded(orgId, row.platform) }))
        .sort((a, b) => (a.platform < b.platform ? -1 : 1)),
    sweep: async (before) => {
      const old = [...rejected.values()].filter(({ receivedAt }) => receivedAt < before);
      for (const { id } of old) rejected.delete(id);
      for (const [key, { subject, seenAt }] of dismissals)
        if (subject.startsWith(subjectOfRejected('')) && seenAt < before) dismissals.delete(key);
      return old.length;
    },
  };
}

function toRejectedDelivery({ isGenuine: _, ...rejected }: RejectedRow): RejectedDelivery {
  return rejected;
}
