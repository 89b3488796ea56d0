import { type ActivityOrigin, AUTOMATIC } from '../model/activity.ts';
import {
  AUTHOR_LOST_ACCESS,
  type BulkCounts,
  type BulkQuery,
  type BulkRun,
  MAX_BULK,
} from '../model/bulk-action.ts';
import type { Platforms } from '../model/platform.ts';
import { ALL_PURCHASES, type FoundPurchase } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import { resendReceipts, type SeenPurchase } from './resend-receipts.ts';
import { restorePurchases, revokePurchases } from './revoke-purchases.ts';

/** The ports for bulk actions. */
export interface BulkPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inTransaction: Stores['inTransaction'];
  readonly platforms?: Pick<Platforms, 'vendorOf'>;
}

/** A requested bulk action. The id is that of the form, so that a form that is sent twice is one action. */
export interface BulkRequest {
  readonly id: string;
  readonly orgId: string;
  readonly action: BulkRun['action'];
  readonly askedAt: Date;
  readonly total: number;
  readonly by: ActivityOrigin;
}

/**
 * Runs the action on at most `MAX_BULK` given purchases, as they were shown, and stores its result, in one transaction.
 * `undone`: the revocation that is undone.
 */
export async function runNamedBulk(
  ports: BulkPorts,
  asked: BulkRequest,
  seen: readonly SeenPurchase[],
  undone: string | null = null,
): Promise<void> {
  await ports.inTransaction(async (stores) => {
    const { orgId, id } = asked;
    await stores.bulkActions.begin(beginRun(asked, null));
    // If the same form is processed concurrently, this waits until that run has ended.
    const run = await stores.bulkActions.hold(orgId, id);
    if (!run || run.query || run.endedAt !== null) return;
    const counts = await change({ ...ports, ...stores }, run, seen.slice(0, MAX_BULK), undone);
    const endedAt = ports.clock.now();
    await stores.bulkActions.advance(orgId, id, { place: run.place, seen: asked.total, counts, endedAt });
  });
}

/** Stores a bulk action on all matching purchases, with the job that runs it. */
export async function beginBulk(ports: BulkPorts, asked: BulkRequest, query: BulkQuery): Promise<void> {
  await ports.inTransaction(async (stores) => {
    if (!(await stores.bulkActions.begin(beginRun(asked, query)))) return;
    const summary = `${NAMES[asked.action]} began: ${asked.total} matched.`;
    await addEntry(ports, stores, asked, { kind: 'bulk-action-started', summary });
  });
}

/**
 * Restores what a bulk revocation revoked, except purchases that were restored or revoked again since. Up to `MAX_BULK`
 * purchases are restored in one transaction, more by a job. False: the revocation is unknown, or it has not ended.
 */
export async function undoBulk(
  ports: BulkPorts & Pick<Stores, 'bulkActions' | 'purchases'>,
  asked: Omit<BulkRequest, 'action' | 'total'>,
  revocationId: string,
): Promise<boolean> {
  const { orgId } = asked;
  const undone = await ports.bulkActions.find(orgId, revocationId);
  if (undone?.action !== 'revoke' || undone.endedAt === null) return false;
  const undoing = { ...asked, action: 'undo', total: undone.counts.done } as const;
  const query = { ...ALL_PURCHASES, revocationId };
  if (undoing.total > MAX_BULK) {
    await beginBulk(ports, undoing, query);
    return true;
  }
  const found = await ports.purchases.search(orgId, { ...query, before: null, limit: MAX_BULK });
  const seen = found.map(({ id }) => ({ purchaseId: id, receipt: null }));
  await runNamedBulk(ports, undoing, seen, revocationId);
  return true;
}

/**
 * Runs the action on the next page of purchases, newest first, and records the progress, in one transaction, so that a crash
 * neither skips nor repeats a purchase. It ends early if its author has lost the right to it. Purchases that changed since
 * the action was requested are skipped: see {@link isAsRequested}.
 */
export function continueBulk(
  ports: BulkPorts,
  { orgId, bulkId }: { readonly orgId: string; readonly bulkId: string },
  limit = MAX_BULK,
): Promise<'done' | { readonly again: Date }> {
  return ports.inTransaction(async (stores) => {
    const run = await stores.bulkActions.hold(orgId, bulkId);
    if (!run?.query || run.endedAt !== null) return 'done';
    if (!(await hasAccess(stores, run))) {
      await stop(ports, stores, run);
      return 'done';
    }
    const page = { before: null, olderThan: run.place, limit, ofEveryCustomer: true };
    const found = await stores.purchases.search(orgId, { ...run.query, ...page });
    const asAsked = found.filter((purchase) => isAsRequested(run, purchase));
    const { included } = planBulk(run.action, await leaveOutRestored(stores, run, asAsked));
    const changed = await changeAll({ ...ports, ...stores }, run, included);
    const counts = addCounts(run.counts, {
      ...changed,
      before: changed.before + found.length - included.length,
    });
    const now = ports.clock.now();
    const endedAt = found.length < limit ? now : null;
    const seen = run.seen + found.length;
    await stores.bulkActions.advance(orgId, bulkId, {
      place: found.at(-1) ?? run.place,
      seen,
      counts,
      endedAt,
    });
    if (endedAt === null) return { again: now };
    const summary = `${NAMES[run.action]} ended: ${counts.done} ${THINGS[run.action]}.`;
    await addEntry(ports, stores, run, { kind: 'bulk-action-ended', summary });
    return 'done';
  });
}

/** Checked for each page: whether the author is still an owner or admin of the organisation. */
async function hasAccess({ users }: Pick<Stores, 'users'>, { orgId, by }: BulkRun): Promise<boolean> {
  const author = await users.find({ email: by.actor ?? '' });
  return author?.membership?.orgId === orgId && author.membership.role !== 'member';
}

async function stop(ports: BulkPorts, stores: Stores, run: BulkRun): Promise<void> {
  await stores.bulkActions.cancel(run.orgId, run.id, { at: ports.clock.now(), by: AUTHOR_LOST_ACCESS });
  const { action, counts, by } = run;
  const summary = `${NAMES[action]} was stopped: ${counts.done} ${THINGS[action]} until then. ${by.actor ?? 'Its author'} is not an owner or admin any more.`;
  await addEntry(ports, stores, { ...run, by: AUTOMATIC }, { kind: 'bulk-action-cancelled', summary });
}

/** Ends the action after the page in progress; its changes stay. False: it had ended before. */
export function cancelBulk(
  ports: BulkPorts,
  orgId: string,
  bulkId: string,
  by: ActivityOrigin,
): Promise<boolean> {
  return ports.inTransaction(async (stores) => {
    const who = { at: ports.clock.now(), by: by.actor ?? '' };
    if (!(await stores.bulkActions.cancel(orgId, bulkId, who))) return false;
    const run = await stores.bulkActions.find(orgId, bulkId);
    if (!run) return false;
    const summary = `${NAMES[run.action]} was cancelled: ${run.counts.done} ${THINGS[run.action]} until then.`;
    await addEntry(ports, stores, { ...run, by }, { kind: 'bulk-action-cancelled', summary });
    return true;
  });
}

/** Omits purchases that were restored after the revocation was requested: they were revoked at that time. */
async function leaveOutRestored(
  { activity }: Pick<Stores, 'activity'>,
  { orgId, action, askedAt: since }: BulkRun,
  purchases: readonly FoundPurchase[],
): Promise<readonly FoundPurchase[]> {
  if (action !== 'revoke') return purchases;
  const subjectIds = purchases.map(({ id }) => id);
  const restored = await activity.listSubjects(orgId, { kind: 'link-restored', subjectIds, since });
  return purchases.filter(({ id }) => !restored.includes(id));
}

/**
 * Whether a purchase has not changed since the action was requested: its receipt was not sent since, or it was not revoked
 * since.
 */
function isAsRequested({ action, askedAt }: BulkRun, { receiptSentAt, revokedAt }: FoundPurchase): boolean {
  if (action === 'resend') return receiptSentAt === null || receiptSentAt <= askedAt;
  return action === 'revoke' || revokedAt === null || revokedAt <= askedAt;
}

const NAMES = {
  resend: 'Sending receipts again of all purchases that matched',
  revoke: 'Revoking of all purchases that matched',
  restore: 'Restoring of all purchases that matched',
  undo: 'The Undo of a revocation',
} as const;
const THINGS = { resend: 'receipts sent', revoke: 'revoked', restore: 'restored', undo: 'restored' } as const;

/** Sorts after every other id, so that the first page begins with the newest purchase of `askedAt`. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function beginRun({ askedAt, ...asked }: BulkRequest, query: BulkQuery | null): BulkRun {
  const counts = { done: 0, before: 0, revoked: 0 };
  const place = { createdAt: askedAt, id: LAST };
  return { ...asked, askedAt, query, place, seen: 0, counts, endedAt: null, cancelledBy: null };
}

/** Changes the purchases as they are now. The caller has left out those that changed since the request. */
async function changeAll(
  ports: BulkPorts & Stores,
  run: BulkRun,
  purchases: readonly FoundPurchase[],
): Promise<BulkCounts> {
  const ids = purchases.map(({ id }) => id);
  const mailings = run.action === 'resend' ? await ports.mailings.findAll(run.orgId, ids) : [];
  const receipts = new Map(
    mailings.flatMap((mailing) => mailing.purchases.map(({ id }) => [id, mailing.receipt] as const)),
  );
  const seen = ids.map((purchaseId) => ({ purchaseId, receipt: receipts.get(purchaseId) ?? null }));
  return change(ports, run, seen, run.query?.revocationId ?? null);
}

function addCounts(one: BulkCounts, other: BulkCounts): BulkCounts {
  return {
    done: one.done + other.done,
    before: one.before + other.before,
    revoked: one.revoked + other.revoked,
  };
}

async function change(
  ports: BulkPorts & Stores,
  { id, orgId, action, by }: BulkRun,
  seen: readonly SeenPurchase[],
  undone: string | null,
): Promise<BulkCounts> {
  if (action === 'resend') {
    const { queued, doneBefore, revoked } = await resendReceipts(ports, orgId, seen, by);
    return { done: queued, before: doneBefore, revoked };
  }
  const ids = [...new Set(seen.map(({ purchaseId }) => purchaseId))];
  const done =
    action === 'revoke'
      ? await revokePurchases(ports, orgId, ids, by, id)
      : await restorePurchases(ports, orgId, ids, by, undone);
  return { done, before: ids.length - done, revoked: 0 };
}

async function addEntry(
  { clock, ids }: BulkPorts,
  { activity }: Pick<Stores, 'activity'>,
  { orgId, id, by }: Pick<BulkRun, 'orgId' | 'id' | 'by'>,
  entry: {
    readonly kind: 'bulk-action-started' | 'bulk-action-ended' | 'bulk-action-cancelled';
    readonly summary: string;
  },
): Promise<void> {
  await activity.add(orgId, { id: ids.next(), at: clock.now(), subjectId: id, ...entry, ...by });
}

/** Why an action leaves a purchase out. `pending`: its receipt is pending, and so is sent without the action. */
export type LeftOut = 'pending' | 'revoked' | 'not-revoked';

/** The purchases that a bulk action would change. */
export interface BulkPlan<Purchase> {
  readonly included: readonly Purchase[];
  /** How many are left out, by reason. */
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

/** Separates the purchases that the action would change from those that it leaves out. */
export function planBulk<Purchase extends Pick<FoundPurchase, 'receiptStatus' | 'revokedAt'>>(
  action: BulkRun['action'],
  purchases: readonly Purchase[],
): BulkPlan<Purchase> {
  const included: Purchase[] = [];
  const leftOut = new Map<LeftOut, number>();
  for (const purchase of purchases) {
    const reason = leaveOut(action, purchase);
    if (reason === null) included.push(purchase);
    else leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  }
  return { included, leftOut };
}

function leaveOut(
  action: BulkRun['action'],
  { receiptStatus, revokedAt }: Pick<FoundPurchase, 'receiptStatus' | 'revokedAt'>,
): LeftOut | null {
  if (action === 'restore' || action === 'undo') return revokedAt === null ? 'not-revoked' : null;
  if (revokedAt !== null) return 'revoked';
  return action === 'resend' && receiptStatus === 'pending' ? 'pending' : null;
}
