import type { DeliveryLine } from '../model/delivery.ts';
import { formatRelease, type Release } from '../model/release.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import type { OpenDeliveries } from '../ports/fulfilment.ts';
import { type Memory, queueJobs, rowsWhere } from './memory.ts';
import type { DeliveryRow } from './rows.ts';

export function releaseKey(orgId: string, release: Release): string {
  return `${orgId} ${formatRelease(release)}`;
}

/** Adds a release. One that is under way starts again: then this returns false. */
export function addRelease(memory: Memory, orgId: string, release: Release, startAfter: Date): boolean {
  if (!memory.organisations.has(orgId)) return false;
  const key = releaseKey(orgId, release);
  const isNew = !memory.releases.has(key);
  memory.releases.set(key, { orgId, release, after: FIRST });
  queueJobs(memory, [{ kind: 'release-entries', orgId, release, startAfter }]);
  return isNew;
}

export function releaseNext(
  memory: Memory,
  orgId: string,
  release: Release,
  { at, limit }: Parameters<OpenDeliveries['releaseNext']>[2],
): 'more' | 'over' {
  const key = releaseKey(orgId, release);
  const row = memory.releases.get(key);
  if (!row || row.after === LAST) {
    memory.releases.delete(key);
    return 'over';
  }
  const page = rowsWhere(memory.deliveries, { orgId })
    .filter((entry) => entry.id > row.after && isOfRelease(entry, release))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  const due = page.filter((entry) => canRun(memory, entry, release));
  queueJobs(
    memory,
    due.map(({ id: deliveryId, attempts }) => ({
      kind: 'fulfil-delivery',
      orgId,
      deliveryId,
      attempts,
      startAfter: at,
    })),
  );
  memory.releases.set(key, { ...row, after: (page.length === limit && page.at(-1)?.id) || LAST });
  return 'more';
}

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Sorts after every id. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The entries of a release that are open now. */
export function listReleased(memory: Memory, orgId: string, release: Release): readonly DeliveryRow[] {
  return rowsWhere(memory.deliveries, { orgId }).filter(
    (entry) => isOfRelease(entry, release) && canRun(memory, entry, release),
  );
}

function isOfRelease({ lines, platform, heldFor }: DeliveryRow, release: Release): boolean {
  switch (release.kind) {
    case 'product':
      return lines.some(({ outcome, productId }) => outcome === 'held' && productId === release.productId);
    case 'sku': {
      const isOfPlatform = release.platform === null || release.platform === platform;
      return isOfPlatform && lines.some((line) => unmatchedKey(line) === release.sku);
    }
    case 'subscription':
      return heldFor === 'subscription';
  }
}

/** A held entry keeps its body; an entry with an unknown SKU cannot be run without its body. */
function canRun({ bodies }: Memory, { bodyId }: DeliveryRow, release: Release): boolean {
  return release.kind !== 'sku' || Boolean(bodies.get(bodyId));
}

/** The key by which an unmatched line is found; null for a line that is not unmatched, or has only a title. */
export function unmatchedKey({ outcome, candidate, sku }: DeliveryLine): string | null {
  return outcome === 'unmatched' && candidate !== null ? normalizeSku(sku) : null;
}
