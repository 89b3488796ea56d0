import { type ActivityOrigin, AUTOMATIC } from '../model/activity.ts';
import {
  AUTHOR_LOST_ACCESS,
  type BulkAction,
  type BulkCounts,
  type BulkQuery,
  type BulkRun,
} from '../model/bulk-action.ts';
import type { FoundPurchase } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import { MAX_BULK, planBulk, restorePurchases, revokePurchases } from './bulk.ts';
import { resendReceipts, type SeenPurchase } from './resend-receipts.ts';

export interface BulkPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inTransaction: Stores['inTransaction'];
}

/** What an operator asked for. The id is the form's: the same form sent twice is one action. */
export interface AskedBulk {
  readonly id: string;
  readonly orgId: string;
  readonly action: BulkAction;
  readonly askedAt: Date;
  readonly total: number;
  readonly by: ActivityOrigin;
}

/** Does it to the purchases as they were seen, as one, and keeps the result under the id. At most `MAX_BULK`. */
export async function runNamedBulk(
  ports: BulkPorts,
  asked: AskedBulk,
  seen: readonly SeenPurchase[],
): Promise<void> {
  await ports.inTransaction(async (stores) => {
    const { orgId, id, action, by } = asked;
    await stores.bulkActions.begin(beginRun(asked, null));
    // Another one is only seen once it has ended.
    const run = await stores.bulkActions.hold(orgId, id);
    if (!run || run.query || run.endedAt !== null) return;
    const counts = await change({ ...ports, ...stores }, orgId, action, seen.slice(0, MAX_BULK), by);
    const endedAt = ports.clock.now();
    await stores.bulkActions.advance(orgId, id, { place: run.place, seen: asked.total, counts, endedAt });
  });
}

/** Writes down that it is to be done to all purchases that match, with the job that does it. */
export async function beginBulk(ports: BulkPorts, asked: AskedBulk, query: BulkQuery): Promise<void> {
  await ports.inTransaction(async (stores) => {
    if (!(await stores.bulkActions.begin(beginRun(asked, query)))) return;
    const summary = `${DOING[asked.action]} of all purchases that match began: ${asked.total} matched.`;
    await addEntry(ports, stores, asked, { kind: 'bulk-action-started', summary });
  });
}

/**
 * Does it to the next purchases, newest first, and notes how far it has come, in one transaction: who goes on after a crash leaves
 * none out, and repeats none. It ends where its author may not do it any more. What changed since the action was asked for is left as it is: see {@link isAsAsked}.
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
    const { included } = planBulk(
      run.action,
      found.filter((purchase) => isAsAsked(run, purchase)),
    );
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
    const summary = `${DOING[run.action]} of all purchases that matched ended: ${counts.done} ${THINGS[run.action]}.`;
    await addEntry(ports, stores, run, { kind: 'bulk-action-ended', summary });
    return 'done';
  });
}

/** Checked again for each page: nothing goes on in the name of a person who has left, or who is a mere member by now. */
async function hasAccess({ users }: Pick<Stores, 'users'>, { orgId, by }: BulkRun): Promise<boolean> {
  const author = await users.find({ email: by.actor ?? '' });
  return author?.membership?.orgId === orgId && author.membership.role !== 'member';
}

async function stop(ports: BulkPorts, stores: Stores, run: BulkRun): Promise<void> {
  await stores.bulkActions.cancel(run.orgId, run.id, { at: ports.clock.now(), by: AUTHOR_LOST_ACCESS });
  const { action, counts, by } = run;
  const summary = `${DOING[action]} of all purchases that matched was stopped: ${counts.done} ${THINGS[action]} until then. ${by.actor ?? 'Its author'} is not an owner or admin any more.`;
  await addEntry(ports, stores, { ...run, by: AUTOMATIC }, { kind: 'bulk-action-cancelled', summary });
}

/** Ends it after the page that is in progress; what is done stays done. False: it has ended before. */
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
    const summary = `${DOING[run.action]} of all purchases that matched was cancelled: ${run.counts.done} ${THINGS[run.action]} until then.`;
    await addEntry(ports, stores, { ...run, by }, { kind: 'bulk-action-cancelled', summary });
    return true;
  });
}

/** Whether it was so when the action was asked for: a receipt was not sent since, and a purchase not revoked since. */
function isAsAsked({ action, askedAt }: BulkRun, { receiptSentAt, revokedAt }: FoundPurchase): boolean {
  if (action === 'resend') return receiptSentAt === null || receiptSentAt <= askedAt;
  return action === 'revoke' || revokedAt === null || revokedAt <= askedAt;
}

const DOING = { resend: 'Sending receipts again', revoke: 'Revoking', restore: 'Restoring' } as const;
const THINGS = { resend: 'receipts sent', revoke: 'revoked', restore: 'restored' } as const;

/** Sorts after every id. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function beginRun({ askedAt, ...asked }: AskedBulk, query: BulkQuery | null): BulkRun {
  const counts = { done: 0, before: 0, revoked: 0 };
  const place = { createdAt: askedAt, id: LAST };
  return { ...asked, askedAt, query, place, seen: 0, counts, endedAt: null, cancelledBy: null };
}

/** The purchases as they are: what of them counts as seen, `isAsAsked` has said. */
async function changeAll(
  ports: BulkPorts & Stores,
  { orgId, action, by }: BulkRun,
  purchases: readonly FoundPurchase[],
): Promise<BulkCounts> {
  const ids = purchases.map(({ id }) => id);
  const mailings = action === 'resend' ? await ports.mailings.findAll(orgId, ids) : [];
  const receipts = new Map(
    mailings.flatMap((mailing) => mailing.purchases.map(({ id }) => [id, mailing.receipt] as const)),
  );
  const seen = ids.map((purchaseId) => ({ purchaseId, receipt: receipts.get(purchaseId) ?? null }));
  return change(ports, orgId, action, seen, by);
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
  orgId: string,
  action: BulkAction,
  seen: readonly SeenPurchase[],
  by: ActivityOrigin,
): Promise<BulkCounts> {
  if (action === 'resend') {
    const { queued, doneBefore, revoked } = await resendReceipts(ports, orgId, seen, by);
    return { done: queued, before: doneBefore, revoked };
  }
  const ids = [...new Set(seen.map(({ purchaseId }) => purchaseId))];
  const done = await (action === 'revoke' ? revokePurchases : restorePurchases)(ports, orgId, ids, by);
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
