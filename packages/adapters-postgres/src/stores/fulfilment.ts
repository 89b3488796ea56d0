import {
  type CommitAnswer,
  type Fulfilment,
  normalizeEmail,
  type Order,
  type OrderSnapshot,
  type Plan,
} from '@handover/domain';
import type { Kysely } from 'kysely';
import { createTurns } from '../batches.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { isLostRace } from '../store-errors.ts';
import { transact } from '../transact.ts';
import { type AppliedPlans, applyPlans } from './apply-plan.ts';
import { doTogether } from './do-together.ts';
import { loadSnapshots } from './load-snapshots.ts';

/** More of them save little more, and let the others wait longer for a transaction that is blocked. */
const MAX_IN_BATCH = 100;
/** Of all orders of a batch. Its parameters are made at a stroke, and nobody else has a turn meanwhile. */
const MAX_LINES = 2000;

/** Of so many organisations orders are loaded or committed at once: others need connections beside them. */
const MAX_AT_ONCE = 5;

/**
 * Orders of one organisation that are decided at the same time are loaded by one statement, and their plans are committed by
 * one transaction. Those that come meanwhile are loaded after it: so they are as many, and rest on what it wrote. Within a transaction of the caller, each is done at once and alone.
 */
export function createPostgresFulfilment(db: Kysely<Schema>, jobs: JobOutbox): Fulfilment {
  const turns = createTurns(MAX_AT_ONCE);
  return {
    loadSnapshot: doTogether<Order, OrderSnapshot>(db, {
      keyOf,
      maxItems: MAX_IN_BATCH,
      weigh: ({ lines }) => lines.length,
      maxWeight: MAX_LINES,
      turns,
      run: (orders) => loadSnapshots(db, orders),
    }),
    commit: doTogether<Plan, CommitAnswer>(db, {
      keyOf,
      subjectsOf,
      maxItems: MAX_IN_BATCH,
      weigh: ({ delivery }) => delivery.lines.length,
      maxWeight: MAX_LINES,
      turns,
      run: (plans) => commitPlans(db, jobs, plans),
    }),
  };
}

function keyOf({ orgId }: Pick<Order, 'orgId'>): string {
  return orgId.toLowerCase();
}

/** What two plans of one batch must not share: the second would rest on what the first one changes. */
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

/** All or nothing of what stands. One that is alone lost whatever race was lost; of many, each is to be done again alone. */
async function commitPlans(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  plans: readonly Plan[],
): Promise<readonly CommitAnswer[]> {
  try {
    const applied = await transact<AppliedPlans | null>(db, (trx, giveUp) =>
      applyPlans(trx, jobs, plans, () => giveUp(null)),
    );
    if (applied) {
      jobs.wake(applied.due);
      return applied.answers;
    }
  } catch (error) {
    if (plans.length > 1 || !isLostRace(error)) throw error;
  }
  if (plans.length > 1) throw new Error('A batch of plans lost a race.');
  return ['changed-meanwhile'];
}
