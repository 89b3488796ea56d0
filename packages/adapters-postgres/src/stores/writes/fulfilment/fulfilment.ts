import {
  type CommitAnswer,
  type Fulfilment,
  normalizeEmail,
  type Order,
  type OrderSnapshot,
  type Plan,
} from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import { isLostRace, isStoreUnavailable } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { createTurns, doTogether } from '../../../statements/batches.ts';
import { type ClaimLeases, createClaimLeases, reserveMails } from '../email/claim-leases.ts';
import { type AppliedPlans, applyAtOnce, applyStanding } from './apply-plan.ts';
import { loadSnapshots } from './load-snapshots.ts';

/** A larger batch saves little more, and makes the others wait longer if its transaction is blocked. */
const MAX_IN_BATCH = 100;
/** The maximum number of lines in a batch. Building its parameters blocks the event loop. */
const MAX_LINES = 2000;

/** The number of organisations whose orders are loaded or committed at once: other work needs connections as well. */
const MAX_AT_ONCE = 5;

/**
 * Orders of one organisation that are decided at the same time are loaded by one statement, and their plans are
 * committed in one transaction. Orders that arrive meanwhile are loaded after it, so that they form the next batch
 * and see what it wrote. Within a transaction of the caller, each runs directly and alone.
 */
export function createPostgresFulfilment(
  db: Db,
  jobs: JobOutbox,
  leases: ClaimLeases = createClaimLeases(),
): Fulfilment {
  const ofOneOrganisation = {
    keyOf: ({ orgId }: Pick<Order, 'orgId'>) => orgId.toLowerCase(),
    maxItems: MAX_IN_BATCH,
    maxWeight: MAX_LINES,
    turns: createTurns(MAX_AT_ONCE),
  };
  return {
    loadSnapshot: doTogether<Order, OrderSnapshot>(db, {
      ...ofOneOrganisation,
      weigh: ({ lines }) => lines.length,
      run: (orders) => loadSnapshots(db, orders),
    }),
    commit: doTogether<Plan, CommitAnswer>(db, {
      ...ofOneOrganisation,
      subjectsOf,
      weigh: ({ delivery }) => delivery.lines.length,
      run: (plans) => commitPlans(db, jobs, leases, plans),
    }),
  };
}

/** What two plans of one batch must not share: the second depends on what the first changes. */
export function subjectsOf({
  delivery,
  customer,
  alert,
  purchases,
  expectedVersions,
}: Plan): readonly string[] {
  const orders = [expectedVersions.bought ?? [], purchases].flat();
  return [
    `entry ${delivery.id}`,
    ...orders.map(({ connectionId, orderId }) => `order ${connectionId} ${orderId}`),
    ...(customer ? [`customer ${normalizeEmail(customer.email)}`] : []),
    ...(alert ? [`alert ${alert.about} ${alert.cause}`] : []),
    ...expectedVersions.receipts.map(({ id }) => `receipt ${id}`),
  ];
}

/**
 * Applies all remaining plans or none. After a conflict, a single plan has lost the race; of several, each runs again alone.
 */
async function commitPlans(
  db: Db,
  jobs: JobOutbox,
  leases: ClaimLeases,
  plans: readonly Plan[],
): Promise<readonly CommitAnswer[]> {
  const mails = reserveMails(jobs, leases, plans);
  let applied: AppliedPlans | null = null;
  try {
    const attempt = (apply: typeof applyAtOnce) =>
      transact<AppliedPlans | null>(db, (trx, giveUp) => apply(trx, jobs, plans, () => giveUp(null), mails));
    applied = (await attempt(applyAtOnce).catch(nullOfConflict)) ?? (await attempt(applyStanding));
  } catch (error) {
    if (plans.length > 1 || !isLostRace(error)) throw error;
  } finally {
    mails.start(applied?.receipts ?? null);
  }
  if (applied) {
    jobs.announceRemoved(applied.removed());
    jobs.wake(applied.due);
    return applied.answers;
  }
  if (plans.length > 1) throw new Error('A batch of plans lost a race.');
  return ['changed-meanwhile'];
}

/** Null for a failure that may be caused by one of the plans: `applyStanding` finds out which. */
function nullOfConflict(error: unknown): null {
  if (isStoreUnavailable(error)) throw error;
  return null;
}
