import type { Plan } from '@handover/domain';
import { foldEmail } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { holdRevision } from './catalogue-revision.ts';

type Trx = Transaction<Schema>;
type Refuse = () => never;

/**
 * Applies a plan within the transaction, or refuses it.
 *
 * Everyone takes rows in this order, so that nobody waits in a circle: the catalogue, receipts by id,
 * deliveries by id, then what is inserted: customer, purchases by product, and what hangs on them. What the
 * plan rests on is locked before it is compared, and in the mode in which it is going to be written: a lock
 * that had to be made stronger later would be a deadlock of any two plans for one order.
 */
export async function applyPlan(trx: Trx, jobs: JobOutbox, plan: Plan, refuse: Refuse): Promise<void> {
  await holdCatalogue(trx, plan, refuse);
  await holdReceipts(trx, plan, refuse);
  await decideDelivery(trx, plan, refuse);
  await insertCustomer(trx, plan, refuse);
  await insertReceipt(trx, plan);
  await insertPurchases(trx, plan, refuse);
  await insertLinks(trx, plan);
  await insertLines(trx, plan);
  await insertActivity(trx, plan);
  await jobs.enqueue(trx, plan.jobs);
  await jobs.forget(trx, plan.delivery.id);
}

async function holdCatalogue(trx: Trx, { orgId, restsOn }: Plan, refuse: Refuse): Promise<void> {
  if ((await holdRevision(trx, orgId)) !== restsOn.catalogueRevision) refuse();
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

async function decideDelivery(trx: Trx, { orgId, delivery, restsOn }: Plan, refuse: Refuse): Promise<void> {
  const decided = await trx
    .updateTable('deliveries')
    .set({
      status: delivery.status,
      reason: delivery.reason,
      note: delivery.note,
      decided_at: delivery.decidedAt,
      attempts: restsOn.attempts + 1,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', delivery.id)
    .where('attempts', '=', restsOn.attempts)
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

async function insertCustomer(trx: Trx, { customer }: Plan, refuse: Refuse): Promise<void> {
  if (!customer) return;
  const added = await trx
    .insertInto('customers')
    .values({
      org_id: customer.orgId,
      id: customer.id,
      email: customer.email,
      email_folded: foldEmail(customer.email),
      name: customer.name,
      created_at: customer.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'email_folded']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) refuse();
}

async function insertReceipt(trx: Trx, { receipt, purchases }: Plan): Promise<void> {
  if (!receipt) return;
  const [sale] = purchases;
  await trx
    .insertInto('receipts')
    .values({
      org_id: receipt.orgId,
      id: receipt.id,
      customer_id: receipt.customerId,
      connection_id: sale?.connectionId ?? null,
      order_id: sale?.orderId ?? null,
      order_number: sale?.orderNumber ?? null,
      owed_since: receipt.createdAt,
      next_try_at: receipt.createdAt,
      created_at: receipt.createdAt,
    })
    .execute();
}

/** The unique key of order and product says who won. Whoever lost any of his purchases has lost them all. */
async function insertPurchases(trx: Trx, { orgId, purchases }: Plan, refuse: Refuse): Promise<void> {
  if (purchases.length === 0) return;
  const column = columnsOf(purchases);
  const { rows } = await sql`
    insert into purchases (
      org_id, id, customer_id, product_id, version_id, amount, currency, payment_method, source,
      connection_id, order_id, order_number, receipt_id, created_at
    )
    select ${orgId}::uuid, purchase.*
    from unnest(
      ${column('id')}::uuid[],
      ${column('customerId')}::uuid[],
      ${column('productId')}::uuid[],
      ${column('versionId')}::uuid[],
      ${column('amount')}::numeric[],
      ${column('currency')}::text[],
      ${column('paymentMethod')}::text[],
      ${column('source')}::text[],
      ${column('connectionId')}::uuid[],
      ${column('orderId')}::text[],
      ${column('orderNumber')}::text[],
      ${column('receiptId')}::uuid[],
      ${column('createdAt')}::timestamptz[]
    ) as purchase
    on conflict (org_id, connection_id, order_id, product_id) do nothing
    returning id
  `.execute(trx);
  if (rows.length < purchases.length) refuse();
}

async function insertLinks(trx: Trx, { orgId, links }: Plan): Promise<void> {
  if (links.length === 0) return;
  const column = columnsOf(links);
  await sql`
    insert into download_links (org_id, id, purchase_id, created_at, expires_at)
    select ${orgId}::uuid, link.*
    from unnest(
      ${column('id')}::uuid[],
      ${column('purchaseId')}::uuid[],
      ${column('createdAt')}::timestamptz[],
      ${column('expiresAt')}::timestamptz[]
    ) as link
  `.execute(trx);
}

async function insertLines(trx: Trx, { orgId, delivery }: Plan): Promise<void> {
  if (delivery.lines.length === 0) return;
  const column = columnsOf(delivery.lines);
  await sql`
    insert into delivery_lines
      (org_id, delivery_id, position, sku, outcome, reason, product_id, purchase_id)
    select ${orgId}::uuid, ${delivery.id}::uuid, line.*
    from unnest(
      ${column('position')}::integer[],
      ${column('sku')}::text[],
      ${column('outcome')}::text[],
      ${column('reason')}::text[],
      ${column('productId')}::uuid[],
      ${column('purchaseId')}::uuid[]
    ) as line
  `.execute(trx);
}

async function insertActivity(trx: Trx, { orgId, activity }: Plan): Promise<void> {
  if (activity.length === 0) return;
  await trx
    .insertInto('activity')
    .values(
      activity.map((entry) => ({
        org_id: orgId,
        id: entry.id,
        at: entry.at,
        kind: entry.kind,
        subject_id: entry.subjectId,
        summary: entry.summary,
      })),
    )
    .execute();
}

/**
 * Rows as columns for `unnest`: an order of many thousand lines would have more parameters than a statement
 * may.
 */
function columnsOf<Row>(rows: readonly Row[]): <Key extends keyof Row>(key: Key) => Row[Key][] {
  return (key) => rows.map((row) => row[key]);
}
