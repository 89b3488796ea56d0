import type { DeliveryLine, Job, Plan } from '@handover/domain';
import { foldSku } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { holdRevision } from './catalogue-revision.ts';
import { insertBought } from './insert-bought.ts';
import { queueEntries } from './queue-entries.ts';
import { raiseAlert } from './raise-alert.ts';

type Trx = Transaction<Schema>;
type Refuse = () => never;

/**
 * Applies a plan within the transaction and answers with jobs that are due then, or refuses it.
 *
 * Everyone takes rows in this order, so that nobody waits in a circle: the catalogue, receipts by id,
 * deliveries by id, then what is inserted: customer, purchases by product, what hangs on them, alerts. What the
 * plan rests on is locked before it is compared, and in the mode in which it is going to be written: a lock
 * that had to be made stronger later would be a deadlock of any two plans for one order.
 */
export async function applyPlan(
  trx: Trx,
  jobs: JobOutbox,
  plan: Plan,
  refuse: Refuse,
): Promise<readonly Job[]> {
  await holdCatalogue(trx, plan, refuse);
  await holdReceipts(trx, plan, refuse);
  await decideDelivery(trx, plan, refuse);
  await insertBought(trx, plan, refuse);
  await insertLines(trx, plan);
  await insertNames(trx, plan);
  if (plan.alert) await raiseAlert(trx, jobs, plan.alert);
  await jobs.enqueue(trx, plan.jobs);
  const settling = await queueSettling(trx, jobs, plan);
  await jobs.forget(trx, plan.delivery.id);
  return [...plan.jobs, ...settling];
}

/**
 * Whatever held another entry of the order up to now was decided before the catalogue changed, so it is
 * committed and seen here, or it is refused by its own commit.
 */
async function queueSettling(trx: Trx, jobs: JobOutbox, plan: Plan): Promise<readonly Job[]> {
  if (!plan.settles) return [];
  const { connectionId, orderId } = plan.settles;
  const { due } = await queueEntries(trx, jobs, {
    kind: 'settle-delivery',
    orgId: plan.orgId,
    startAfter: plan.delivery.decidedAt,
    condition: sql`
      connection_id = ${connectionId} and order_id = ${orderId} and id <> ${plan.delivery.id}
      and exists (
        select from delivery_lines line
        where line.org_id = deliveries.org_id and line.delivery_id = deliveries.id
          and line.outcome in ('held', 'unmatched')
      )`,
  });
  return due;
}

async function holdCatalogue(trx: Trx, { orgId, restsOn }: Plan, refuse: Refuse): Promise<void> {
  const revision = await holdRevision(trx, orgId, restsOn.bought);
  if (restsOn.catalogueRevision !== null && revision !== restsOn.catalogueRevision) refuse();
}

/**
 * Settling a receipt writes its row first, so it comes either before this, and is seen, or after the commit.
 */
async function holdReceipts(trx: Trx, plan: Plan, refuse: Refuse): Promise<void> {
  const expected = plan.restsOn.receipts;
  if (expected.length === 0) return;
  const query = trx
    .selectFrom('receipts')
    .select(['id', 'status'])
    .where('org_id', '=', plan.orgId)
    .where('id', '=', sql<string>`any(${expected.map(({ id }) => id)}::uuid[])`)
    .orderBy('id');
  const rows = await (plan.resend.length > 0 ? query.forNoKeyUpdate() : query.forShare()).execute();
  const found = new Map(rows.map(({ id, status }) => [id, status]));
  if (expected.some(({ id, status }) => found.get(id) !== status)) refuse();
  if (plan.resend.length === 0) return;
  const now = plan.delivery.decidedAt;
  await trx
    .updateTable('receipts')
    .set({ status: 'owed', attempts: 0, owed_since: now, next_try_at: now })
    .where('org_id', '=', plan.orgId)
    .where('id', '=', sql<string>`any(${plan.resend}::uuid[])`)
    .execute();
}

/**
 * The turn of the order is ours by now (see `holdRevision`), and this statement began after that: it sees whatever another
 * plan of the order bought, and no other can buy more before our commit.
 */
async function decideDelivery(trx: Trx, { orgId, delivery, restsOn }: Plan, refuse: Refuse): Promise<void> {
  const decided = await trx
    .updateTable('deliveries')
    .set({
      status: delivery.status,
      held_for: delivery.heldFor,
      reason: delivery.reason,
      note: delivery.note,
      decided_at: delivery.decidedAt,
      attempts: restsOn.attempts + 1,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', delivery.id)
    .where('attempts', '=', restsOn.attempts)
    .$if(restsOn.status !== undefined, (query) => query.where(sql<boolean>`status = ${restsOn.status}`))
    .$if(restsOn.bought !== null, (query) => query.where(nothingElseBought(orgId, restsOn.bought)))
    .returning('id')
    .executeTakeFirst();
  if (!decided) refuse();
  if (restsOn.attempts === 0) return;
  await trx
    .deleteFrom('delivery_lines')
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', delivery.id)
    .execute();
}

function nothingElseBought(orgId: string, bought: Plan['restsOn']['bought']) {
  return sql<boolean>`not exists (
    select from purchases
    where org_id = ${orgId} and connection_id = ${bought?.connectionId} and order_id = ${bought?.orderId}
      and id <> all(${bought?.purchaseIds ?? []}::uuid[])
  )`;
}

async function insertLines(trx: Trx, { orgId, delivery }: Plan): Promise<void> {
  if (delivery.lines.length === 0) return;
  const column = columnsOf(delivery.lines);
  await sql`
    insert into delivery_lines
      (
        org_id, delivery_id, platform, position, sku, outcome, reason, product_id, purchase_id, candidate, sku_key
      )
    select
      ${orgId}::uuid,
      ${delivery.id}::uuid,
      case when line.sku_key is not null then entry.platform end,
      line.*
    from deliveries entry, unnest(
      ${column('position')}::integer[],
      ${column('sku')}::text[],
      ${column('outcome')}::text[],
      ${column('reason')}::text[],
      ${column('productId')}::uuid[],
      ${column('purchaseId')}::uuid[],
      ${column('candidate')}::text[],
      ${delivery.lines.map(keyOf)}::text[]
    ) as line (position, sku, outcome, reason, product_id, purchase_id, candidate, sku_key)
    where entry.org_id = ${orgId} and entry.id = ${delivery.id}
  `.execute(trx);
}

/** Other entries of the order may find the same purchase under the same name at the same moment. */
async function insertNames(trx: Trx, { orgId, soldAs }: Plan): Promise<void> {
  if (soldAs.length === 0) return;
  const column = columnsOf(soldAs);
  await sql`
    insert into sold_as (org_id, purchase_id, candidate, sku)
    select ${orgId}::uuid, name.*
    from unnest(
      ${column('purchaseId')}::uuid[],
      ${column('candidate')}::text[],
      ${column('sku')}::text[]
    ) as name
    on conflict do nothing
  `.execute(trx);
}

/** By what an unmatched line is found again: nothing can be said of one that has only a title. */
function keyOf({ outcome, candidate, sku }: DeliveryLine): string | null {
  return outcome === 'unmatched' && candidate !== null ? foldSku(sku) : null;
}
