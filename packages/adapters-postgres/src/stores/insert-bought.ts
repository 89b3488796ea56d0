import type { Plan } from '@handover/domain';
import { foldEmail, searchWords } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { Schema } from '../schema.ts';
import { toRow } from './activity.ts';

type Trx = Transaction<Schema>;
type Refuse = () => never;

/** What somebody bought, and what hangs on it. */
type Bought = Pick<Plan, 'orgId' | 'customer' | 'receipt' | 'purchases' | 'links' | 'activity'>;

type Links = Pick<Bought, 'orgId' | 'links'>;

/** Refuses when someone else was first to add the customer's address, or one of the purchases. */
export async function insertBought(trx: Trx, bought: Bought, refuse: Refuse): Promise<void> {
  await insertCustomer(trx, bought, refuse);
  await insertReceipt(trx, bought);
  await insertPurchases(trx, bought, refuse);
  await insertLinks(trx, bought);
  await insertActivity(trx, bought);
}

export async function insertCustomer(
  trx: Trx,
  { customer }: Pick<Bought, 'customer'>,
  refuse: Refuse,
): Promise<void> {
  if (!customer) return;
  const added = await trx
    .insertInto('customers')
    .values({
      org_id: customer.orgId,
      id: customer.id,
      email: customer.email,
      email_folded: foldEmail(customer.email),
      name: customer.name,
      words: searchWords(`${customer.name} ${customer.email}`).join(' '),
      created_at: customer.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'email_folded']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) refuse();
}

async function insertReceipt(trx: Trx, { receipt, purchases }: Bought): Promise<void> {
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
async function insertPurchases(trx: Trx, { orgId, purchases }: Bought, refuse: Refuse): Promise<void> {
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

export async function insertLinks(trx: Trx, { orgId, links }: Links): Promise<void> {
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

export async function insertActivity(
  trx: Trx,
  { orgId, activity }: Pick<Bought, 'orgId' | 'activity'>,
): Promise<void> {
  if (activity.length === 0) return;
  await trx
    .insertInto('activity')
    .values(activity.map((entry) => toRow(orgId, entry)))
    .execute();
}
