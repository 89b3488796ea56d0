import { foldSku } from '../catalogue/sku-mapping.ts';
import type { DeliveryLine } from '../fulfilment/delivery.ts';
import type { UnmatchedSku } from '../fulfilment/open-delivery.ts';
import type { Platform } from '../orders/platform.ts';
import type { OpenDeliveries } from '../ports.ts';
import type { DeliveryRow, Memory } from './memory.ts';
import { queueJobs } from './memory.ts';

export function createInMemoryOpenDeliveries(memory: Memory): OpenDeliveries {
  const entriesOf = (orgId: string) =>
    [...memory.deliveries.values()].filter((delivery) => delivery.orgId === orgId);
  const heldFor = (orgId: string, productId: string) =>
    entriesOf(orgId).filter(({ lines }) =>
      lines.some((line) => line.outcome === 'held' && line.productId === productId),
    );
  const withSku = (orgId: string, sku: string, platform: Platform | null) =>
    entriesOf(orgId)
      .filter((entry) => platform === null || entry.platform === platform)
      .filter(({ lines }) => lines.some((line) => unmatchedKey(line) === sku))
      .filter(({ bodyId }) => memory.bodies.get(bodyId));

  return {
    countHeld: async (orgId, productId) =>
      new Set(heldFor(orgId, productId).map(({ connectionId, orderId }) => `${connectionId} ${orderId}`))
        .size,
    listHeld: async (orgId, productId, limit) => {
      const first = new Map<string, DeliveryRow>();
      for (const entry of heldFor(orgId, productId).sort((a, b) => compare(a.id, b.id))) {
        const order = `${entry.connectionId} ${entry.orderId}`;
        if (!first.has(order)) first.set(order, entry);
      }
      return [...first.values()]
        .slice(0, limit)
        .map(({ id, receivedAt }) => ({ deliveryId: id, receivedAt }));
    },
    releaseHeld: async (orgId, productId, at) => queue(memory, heldFor(orgId, productId), at),
    countWithSku: async (orgId, sku, platform) => withSku(orgId, sku, platform).length,
    releaseUnmatched: async (orgId, sku, platform, at) => queue(memory, withSku(orgId, sku, platform), at),
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

/** Another entry of its order was delivered, and may have settled something of it. */
export function isToSettle({ lines }: DeliveryRow): boolean {
  return lines.some(({ outcome }) => outcome === 'held' || outcome === 'unmatched');
}

function queue(memory: Memory, entries: readonly DeliveryRow[], startAfter: Date): number {
  queueJobs(
    memory,
    entries.map(({ id: deliveryId, orgId, attempts }) => ({
      kind: 'fulfil-delivery',
      orgId,
      deliveryId,
      attempts,
      startAfter,
    })),
  );
  return entries.length;
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
        newest: { deliveryId: entry.id, receivedAt: entry.receivedAt, orderId: entry.orderId },
      });
    }
  }
  return [...found.values()];
}

/** Null for a line that is not unmatched, or has nothing that could be mapped. */
export function unmatchedKey({ outcome, candidate, sku }: DeliveryLine): string | null {
  return outcome === 'unmatched' && candidate !== null ? foldSku(sku) : null;
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
