import type { ActivityEntry, ActivityOrigin } from '../model/activity.ts';
import { MAX_BULK } from '../model/bulk-action.ts';
import { OUR_PLATFORMS, type Platforms } from '../model/platform.ts';
import { ALL_PURCHASES, type FoundPurchase, type RevokePurchaseResult } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Purchases } from '../ports/purchases.ts';

interface RevokePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly purchases: Pick<Purchases, 'restore' | 'revoke' | 'search'>;
  /** Default: the built-in ones. */
  readonly platforms?: Pick<Platforms, 'vendorOf'>;
}

type OnePorts = RevokePorts & { readonly purchases: Pick<Purchases, 'show'> };

/**
 * Revokes at most `MAX_BULK` purchases in one transaction: all of their links stop working, and nobody can create new ones
 * until they are restored. Downloads in progress finish. Returns how many were not revoked before. `revocationId` identifies
 * the action for its Undo, which restores what it revoked, except what was changed since.
 */
export async function revokePurchases(
  ports: RevokePorts,
  orgId: string,
  purchaseIds: readonly string[],
  by: ActivityOrigin,
  revocationId = ports.ids.next(),
): Promise<number> {
  const summary = 'The purchase is revoked: its links stop working.';
  const entries = await describeAll(ports, orgId, purchaseIds, { kind: 'link-revoked', summary, ...by });
  return (await ports.purchases.revoke(orgId, entries, revocationId)).length;
}

/**
 * Restores the links that `revokePurchases` revoked, each until it expires, in one transaction. Returns how many
 * purchases it restored. `undone`: only those that were not changed since this action. The purchases of an erased buyer stay
 * revoked: nobody could be mailed their links.
 */
export async function restorePurchases(
  ports: RevokePorts,
  orgId: string,
  purchaseIds: readonly string[],
  by: ActivityOrigin,
  undone: string | null = null,
): Promise<number> {
  const summary = 'The purchase is restored: its links work again.';
  const entries = await describeAll(ports, orgId, purchaseIds, { kind: 'link-restored', summary, ...by });
  return (await ports.purchases.restore(orgId, entries, undone)).length;
}

/** `revokePurchases` of one. */
export async function revokePurchase(
  ports: OnePorts,
  orgId: string,
  purchaseId: string,
  by: ActivityOrigin,
  revocationId?: string,
): Promise<RevokePurchaseResult> {
  const done = await revokePurchases(ports, orgId, [purchaseId], by, revocationId);
  return done > 0 ? 'done' : describeUnchanged(ports, orgId, purchaseId);
}

/** `restorePurchases` of one. */
export async function restorePurchase(
  ports: OnePorts,
  orgId: string,
  purchaseId: string,
  by: ActivityOrigin,
  undone?: string | null,
): Promise<RevokePurchaseResult> {
  const done = await restorePurchases(ports, orgId, [purchaseId], by, undone);
  return done > 0 ? 'done' : describeUnchanged(ports, orgId, purchaseId);
}

async function describeUnchanged({ purchases }: OnePorts, orgId: string, purchaseId: string) {
  const record = await purchases.show(orgId, purchaseId);
  if (!record) return 'unknown-purchase';
  return record.revokedAt === null ? 'not-revoked' : 'revoked';
}

/** One entry for each distinct purchase. Its summary names the purchase, because the CSV of the log has no other column for it. */
async function describeAll(
  { clock, ids, purchases, platforms = OUR_PLATFORMS }: RevokePorts,
  orgId: string,
  purchaseIds: readonly string[],
  { summary, ...entry }: Pick<ActivityEntry, 'kind' | 'summary'> & ActivityOrigin,
): Promise<readonly ActivityEntry[]> {
  const asked = [...new Set(purchaseIds)].slice(0, MAX_BULK);
  const found = await purchases.search(orgId, {
    ...ALL_PURCHASES,
    ids: asked,
    before: null,
    limit: MAX_BULK,
  });
  const names = new Map(found.map((purchase) => [purchase.id, `${namePurchase(purchase, platforms)}. `]));
  const at = clock.now();
  return asked.map((subjectId) => ({
    ...{ id: ids.next(), at, subjectId, ...entry },
    summary: `${names.get(subjectId) ?? ''}${summary}`,
  }));
}

/** "Felt Piano for 49.00 EUR, Shopify order #1252": without the name of a person, which the log would keep. */
function namePurchase(
  { productName, amount, currency, source, orderNumber, orderId }: FoundPurchase,
  platforms: Pick<Platforms, 'vendorOf'>,
): string {
  const price = currency === null ? amount : `${amount} ${currency}`;
  const number = orderNumber ?? orderId;
  return `${productName} for ${price}${number === null ? '' : `, ${platforms.vendorOf(source)} order ${number}`}`;
}
