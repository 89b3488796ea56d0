import type { ActivityOrigin } from '../model/activity.ts';
import { MAX_BULK } from '../model/bulk-action.ts';
import type { RevokePurchaseResult } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Purchases } from '../ports/purchases.ts';

interface RevokePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly purchases: Pick<Purchases, 'restore' | 'revoke'>;
}

type OnePorts = RevokePorts & { readonly purchases: Pick<Purchases, 'show'> };

/**
 * Takes purchases back, as one: every link that they have stops working, and no new one is made for them, by anyone, until they
 * are restored. Downloads in progress finish. Answers with how many were not revoked before. `revocationId` names the
 * action: an Undo of it restores what it revoked, and nothing that was changed since.
 */
export async function revokePurchases(
  ports: RevokePorts,
  orgId: string,
  purchaseIds: readonly string[],
  by: ActivityOrigin,
  revocationId = ports.ids.next(),
): Promise<number> {
  const summary = 'The purchase is revoked: its links stop working.';
  const entries = describeAll(ports, purchaseIds, { kind: 'link-revoked', summary, ...by });
  return (await ports.purchases.revoke(orgId, entries, revocationId)).length;
}

/**
 * Lets the links work again that revoking ended, each until it expires, as one. Answers with how many purchases it restored.
 * `undone`: only those that are still as this action left them.
 */
export async function restorePurchases(
  ports: RevokePorts,
  orgId: string,
  purchaseIds: readonly string[],
  by: ActivityOrigin,
  undone: string | null = null,
): Promise<number> {
  const summary = 'The purchase is restored: its links work again.';
  const entries = describeAll(ports, purchaseIds, { kind: 'link-restored', summary, ...by });
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

/** An entry for each purchase, named once however often it is given. */
function describeAll(
  { clock, ids }: Pick<RevokePorts, 'clock' | 'ids'>,
  purchaseIds: readonly string[],
  entry: { readonly kind: 'link-revoked' | 'link-restored'; readonly summary: string } & ActivityOrigin,
) {
  const at = clock.now();
  return [...new Set(purchaseIds)]
    .slice(0, MAX_BULK)
    .map((subjectId) => ({ id: ids.next(), at, subjectId, ...entry }));
}
