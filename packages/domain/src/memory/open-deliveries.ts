import type { ActivityEntry } from '../model/activity.ts';
import type { DeliveryLine } from '../model/delivery.ts';
import { LISTED_LINES } from '../model/log-entry.ts';
import type { UnmatchedSku } from '../model/open-delivery.ts';
import type { OpenDeliveries, SeenEntry } from '../ports/fulfilment.ts';
import { describeEntry } from './log-page.ts';
import { jobKey, type Memory, queueJobs, rowsWhere } from './memory.ts';
import { addRelease, listReleased, releaseKey, releaseNext, unmatchedKey } from './releases.ts';
import type { DeliveryRow } from './rows.ts';

export function createInMemoryOpenDeliveries(memory: Memory): OpenDeliveries {
  const entriesOf = (orgId: string) => rowsWhere(memory.deliveries, { orgId });
  const heldFor = (orgId: string, productId: string) =>
    listReleased(memory, orgId, { kind: 'product', productId });

  return {
    countHeld: async (orgId, productId) =>
      new Set(heldFor(orgId, productId).map(({ connectionId, orderId }) => `${connectionId} ${orderId}`))
        .size,
    listHeld: async (orgId, productId, limit) => {
      const first = new Map<string, DeliveryRow>();
      for (const entry of [...heldFor(orgId, productId)].sort((a, b) => compare(a.id, b.id))) {
        const order = `${entry.connectionId} ${entry.orderId}`;
        if (!first.has(order)) first.set(order, entry);
      }
      return [...first.values()]
        .slice(0, limit)
        .map(({ id, receivedAt }) => ({ deliveryId: id, receivedAt }));
    },
    countWithSku: async (orgId, sku, platform) =>
      listReleased(memory, orgId, { kind: 'sku', sku, platform }).length,
    listWithSku: async (orgId, sku, limit) =>
      [...listReleased(memory, orgId, { kind: 'sku', sku, platform: null })]
        .sort((a, b) => compare(b.id, a.id))
        .slice(0, limit)
        .map((row) => describeEntry(memory, row, LISTED_LINES)),
    release: async (orgId, release, at) => addRelease(memory, orgId, release, at),
    releaseNext: async (orgId, release, page) => releaseNext(memory, orgId, release, page),
    rerunAll: async (orgId, seen, entries) => rerunAll(memory, orgId, seen, entries),
    isReleasing: async (orgId, release) => memory.releases.has(releaseKey(orgId, release)),
    countUnmatched: async (orgId) => gatherUnmatched(memory, entriesOf(orgId)).length,
    listUnmatched: async (orgId, { after, limit }) =>
      gatherUnmatched(memory, entriesOf(orgId))
        .sort((a, b) => compare(b.newest.deliveryId, a.newest.deliveryId) || compare(a.key, b.key))
        .filter(
          ({ newest, key }) =>
            after === null ||
            newest.deliveryId < after.deliveryId ||
            (newest.deliveryId === after.deliveryId && key > after.key),
        )
        .slice(0, limit),
  };
}

/** Whether the entry has an open line. Another entry of its order, once delivered, may have resolved it. */
export function isToResolve({ lines }: DeliveryRow): boolean {
  return lines.some(({ outcome }) => outcome === 'held' || outcome === 'unmatched');
}

function gatherUnmatched(memory: Memory, entries: readonly DeliveryRow[]): UnmatchedSku[] {
  const found = new Map<string, UnmatchedSku>();
  for (const entry of [...entries].sort((a, b) => compare(a.id, b.id))) {
    const open = new Map<string, DeliveryLine>();
    for (const line of entry.lines) {
      const key = unmatchedKey(line);
      if (key !== null && !open.has(key) && !isMapped(memory, entry, line, key)) open.set(key, line);
    }
    for (const [key, { sku }] of open) {
      const former = found.get(key);
      found.set(key, {
        sku,
        key,
        platforms: [...new Set([...(former?.platforms ?? []), entry.platform])].sort(),
        entries: (former?.entries ?? 0) + 1,
        newest: { deliveryId: entry.id, receivedAt: entry.receivedAt },
      });
    }
  }
  return [...found.values()];
}

export function isMapped(
  { mappings }: Memory,
  { orgId, platform }: DeliveryRow,
  { candidate }: DeliveryLine,
  key: string,
): boolean {
  return (
    mappings.has(`${orgId} ${platform} ${key}`) || (candidate === 'sku' && mappings.has(`${orgId}  ${key}`))
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function rerunAll(
  memory: Memory,
  orgId: string,
  seen: readonly SeenEntry[],
  entries: readonly ActivityEntry[],
): readonly string[] {
  const attempts = new Map(seen.map((one) => [one.deliveryId, one.attempts]));
  const due = entries.filter(({ subjectId: id }) => {
    const row = memory.deliveries.get(id);
    return (
      row?.orgId === orgId &&
      row.orderId !== null &&
      (row.status === 'error' || row.status === 'held') &&
      row.attempts === attempts.get(id) &&
      Boolean(memory.bodies.get(row.bodyId)) &&
      !memory.jobs.has(jobKey(jobOf(orgId, id, row.attempts, entries[0]?.at ?? row.receivedAt)))
    );
  });
  queueJobs(
    memory,
    due.map(({ subjectId, at }) => jobOf(orgId, subjectId, attempts.get(subjectId) ?? 0, at)),
  );
  for (const entry of due) memory.activity.set(entry.id, { ...entry, orgId });
  return due.map(({ subjectId }) => subjectId);
}

function jobOf(orgId: string, deliveryId: string, attempts: number, startAfter: Date) {
  return { kind: 'fulfil-delivery', orgId, deliveryId, attempts, startAfter } as const;
}
