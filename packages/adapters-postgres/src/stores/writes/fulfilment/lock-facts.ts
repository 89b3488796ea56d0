import type { CommitAnswer, DeliveryStatus, Plan, ReceiptStatus } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { WITH_NEXT } from '../../../database/transact.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { lockRevision } from '../catalogue/catalogue-revision.ts';

/** The facts that plans of one organisation depend on, locked until the transaction ends. */
export interface LockedFacts {
  readonly revision: string | null;
  readonly receipts: ReadonlyMap<string, ReceiptStatus>;
  /** The plans' own entries, by id. */
  readonly entries: ReadonlyMap<string, LockedEntry>;
  /** For each plan that names an order, the ids of the purchases of that order. */
  readonly purchases: ReadonlyMap<NonNullable<Plan['expectedVersions']['bought']>, readonly string[]>;
}

interface LockedEntry {
  readonly id: string;
  readonly attempts: number;
  readonly status: DeliveryStatus;
}

/**
 * Locks the rows in the order that `applyAtOnce` documents, with one statement for each kind, and reads the purchases
 * of the orders once all locks are held. So it sees what any other plan of an order bought, and no other plan can add
 * purchases. All of them are held back, to be sent at once: the facts are known when they are answered.
 */
export async function lockFacts(trx: Trx, orgId: string, plans: readonly Plan[]): Promise<() => LockedFacts> {
  const orders = plans.flatMap(({ expectedVersions }) => expectedVersions.bought ?? []);
  const revision = await lockRevision(trx, orgId);
  const receipts = await lockReceipts(trx, orgId, plans);
  const entries = await lockEntries(trx, orgId, plans, orders);
  const purchases = await listBought(trx, orgId, orders);
  return () => ({
    revision: revision(),
    receipts: receipts(),
    entries: entries(),
    purchases: purchases(),
  });
}

/** Why the plan must not be committed; null if it may. */
export function findRefusal(plan: Plan, facts: LockedFacts): Exclude<CommitAnswer, 'committed'> | null {
  const { catalogueRevision, bought, receipts, attempts, status } = plan.expectedVersions;
  const entry = facts.entries.get(plan.delivery.id.toLowerCase());
  if (entry && entry.attempts !== attempts) return 'decided-meanwhile';
  if (!entry || (status !== undefined && entry.status !== status)) return 'changed-meanwhile';
  if (catalogueRevision !== null && facts.revision !== catalogueRevision) return 'changed-meanwhile';
  if (receipts.some(({ id, status }) => facts.receipts.get(id) !== status)) return 'changed-meanwhile';
  const made = bought ? (facts.purchases.get(bought) ?? []) : [];
  if (made.some((id) => !bought?.purchaseIds.includes(id))) return 'changed-meanwhile';
  return null;
}

interface OrderKey {
  readonly connectionId: string;
  readonly orderId: string;
}

/**
 * Completing a receipt writes its row first: so it either happened before this lock, and is seen, or waits for the commit. The
 * row is locked in the mode in which it is going to be written.
 */
async function lockReceipts(
  trx: Trx,
  orgId: string,
  plans: readonly Plan[],
): Promise<() => LockedFacts['receipts']> {
  const ids = plans.flatMap(({ expectedVersions }) => expectedVersions.receipts.map(({ id }) => id));
  if (ids.length === 0) return () => new Map();
  const mode = plans.some(({ resend }) => resend.length > 0) ? sql`no key update` : sql`share`;
  const { rows } = await sql<{ readonly id: string; readonly status: ReceiptStatus }>`${sql.raw(WITH_NEXT)}
      select id, status from outgoing_emails
      where org_id = ${orgId} and id = any(${ids}::uuid[])
      order by id
      for ${mode}
    `.execute(trx);
  return () => new Map(rows.map(({ id, status }) => [id, status]));
}

/**
 * Locks every entry of the orders, not only the one that is decided. Of two plans of one order, either one finds the
 * other's entry here and waits for it, or that entry was recorded later, and its plan finds this one and waits. So
 * they always run one after the other.
 */
async function lockEntries(
  trx: Trx,
  orgId: string,
  plans: readonly Plan[],
  orders: readonly OrderKey[],
): Promise<() => LockedFacts['entries']> {
  const ids = plans.map(({ delivery }) => delivery.id);
  const { rows } = await sql<LockedEntry>`${sql.raw(WITH_NEXT)}
      with held as materialized (
        select id, attempts, status from deliveries
        where org_id = ${orgId} and id = any(array(
          select unnest(${ids}::uuid[])
          union all
          select entry.id from ${unnestOrders(orders)} cross join lateral (
            select id from deliveries
            where org_id = ${orgId} and connection_id = asked.connection_id and order_id = asked.order_id
            offset 0
          ) entry
        ))
        order by id
        for no key update
      )
      select * from held where id = any(${ids}::uuid[])
    `.execute(trx);
  return () => new Map(rows.map((entry) => [entry.id, entry]));
}

/** The locks on the orders are held when this statement begins. */
async function listBought(
  trx: Trx,
  orgId: string,
  orders: readonly NonNullable<Plan['expectedVersions']['bought']>[],
): Promise<() => LockedFacts['purchases']> {
  if (orders.length === 0) return () => new Map();
  const { rows } = await sql<{ readonly at: number; readonly id: string }>`${sql.raw(WITH_NEXT)}
      select asked.at, purchase.id
      from ${unnestOrders(orders)} cross join lateral (
        select id from purchases
        where org_id = ${orgId} and connection_id = asked.connection_id and order_id = asked.order_id
        offset 0
      ) purchase
    `.execute(trx);
  return () => {
    const byPlace = Map.groupBy(rows, ({ at }) => at);
    return new Map(orders.map((order, at) => [order, (byPlace.get(at + 1) ?? []).map(({ id }) => id)]));
  };
}

/**
 * Orders as `asked`, which are looked up one by one in an index: whatever the statistics say, the planner does not
 * join a whole table to them. `at`: the position in the list, from 1. It identifies the results, because PostgreSQL
 * returns some texts in another spelling.
 */
export function unnestOrders(orders: readonly OrderKey[]): RawBuilder<unknown> {
  const asked = orders.map(({ connectionId, orderId }, index) => ({ connectionId, orderId, at: index + 1 }));
  return unnestRows(asked).as('asked (connection_id uuid, order_id text, at integer)');
}
