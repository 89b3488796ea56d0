import {
  type Customer,
  type Delivery,
  type EraseCustomerResult,
  type Erasure,
  eraseIdentity,
  isErased,
  normalizeEmail,
  wordsToFind,
} from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isLostRace } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { hasOwnNumber } from '../../reads/fulfilment/order-numbers.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';
import { forgetDismissals, forgetMails, forgetRequests, forgetWords } from './forget-buyer.ts';

/** Everything that tells of a buyer, locked until the transaction ends. */
export interface Erased {
  readonly orgId: string;
  readonly customers: readonly CustomerRow[];
  /** As they are stored in `email_normalized`. */
  readonly addresses: readonly string[];
  readonly purchaseIds: readonly string[];
  /** Of these purchases, and those that were made for these customers. */
  readonly linkIds: readonly string[];
  /** What was theirs before its address was corrected to that of somebody who stays. */
  readonly movedPurchaseIds: readonly string[];
  readonly receiptIds: readonly string[];
  readonly deliveries: readonly DeliveryRow[];
  readonly deliveryIds: readonly string[];
  readonly bodyIds: readonly string[];
}

type DeliveryRow = Pick<Delivery, 'id' | 'bodyId' | 'connectionId' | 'orderId'>;

/**
 * As the port says. Rows are locked in the order of plans, see `applyAtOnce`, and then the purchases' links, as by whoever makes one.
 * Some lock several links or alerts in an order of their own: a mail with new links that is tried again, and an alert mail that is
 * closed. A deadlock with them that ends this transaction is repeated, once.
 */
export async function eraseCustomer(db: Db, orgId: string, erasure: Erasure): Promise<EraseCustomerResult> {
  if (!areIds(orgId, erasure.customerId)) return 'unknown-customer';
  try {
    return await eraseOnce(db, orgId, erasure);
  } catch (error) {
    if (!isLostRace(error)) throw error;
    return eraseOnce(db, orgId, erasure);
  }
}

/** The catalogue's revision changes, so that a plan that names the customer is decided again. */
function eraseOnce(
  db: Db,
  orgId: string,
  { customerId, revocationId, entry }: Erasure,
): Promise<EraseCustomerResult> {
  return transact<EraseCustomerResult>(db, async (trx, giveUp) => {
    // No index finds mails by their customer, so this reads many rows, before anything is locked.
    const former = await listReceipts(trx, orgId, customerId);
    await moveRevision(trx, orgId);
    const customers = await listCustomers(trx, orgId, customerId);
    const [customer] = customers;
    if (!customer) return giveUp('unknown-customer');
    const erased = await lockAll(trx, orgId, customers, former);
    if (isErased(customer.email) && !(await isToldOf(trx, erased))) giveUp('erased-before');
    if (await isMailWaiting(trx, erased)) giveUp('mail-waits');
    if (await isOrderWaiting(trx, erased)) giveUp('order-waits');
    await sql`
      update download_links set revoked_at = ${entry.at}, revocation_id = ${revocationId}
      where org_id = ${orgId} and purchase_id = any(${erased.purchaseIds}::uuid[]) and revoked_at is null
    `.execute(trx);
    await forgetWords(trx, erased);
    await forgetDismissals(trx, erased);
    await forgetRequests(trx, erased);
    await forgetMails(trx, erased);
    await eraseIdentities(trx, erased);
    await insertActivity(trx, orgId, [entry]);
    return 'erased';
  });
}

/** The customer first, then those who had its purchases before an address was corrected, and have none of their own. */
function ofBuyer(orgId: string, customerId: string): RawBuilder<unknown> {
  return sql`(
    select ${customerId}::uuid as id
    union
    select link.customer_id from purchases purchase
    join download_links link on link.org_id = ${orgId} and link.purchase_id = purchase.id
    where purchase.org_id = ${orgId} and purchase.customer_id = ${customerId} and link.customer_id is not null
      and not exists (select from purchases own where own.org_id = ${orgId} and own.customer_id = link.customer_id)
  )`;
}

async function listReceipts(trx: Trx, orgId: string, customerId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from outgoing_emails
    where org_id = ${orgId} and customer_id = any(array(select id from ${ofBuyer(orgId, customerId)} buyer))
  `.execute(trx);
  return rows.map(({ id }) => id);
}

type CustomerRow = Pick<Customer, 'id' | 'email' | 'name'>;

async function listCustomers(trx: Trx, orgId: string, customerId: string): Promise<readonly CustomerRow[]> {
  const { rows } = await sql<CustomerRow>`
    select id, email, name from customers
    where org_id = ${orgId} and id = any(array(select id from ${ofBuyer(orgId, customerId)} buyer))
    order by id <> ${customerId}, id
  `.execute(trx);
  return rows[0]?.id === customerId.toLowerCase() ? rows : [];
}

async function lockAll(
  trx: Trx,
  orgId: string,
  customers: readonly CustomerRow[],
  receipts: readonly string[],
): Promise<Erased> {
  const customerIds = customers.map(({ id }) => id);
  const addresses = customers.map(({ email }) => normalizeEmail(email));
  const ofCustomers = sql`org_id = ${orgId} and customer_id = any(${customerIds}::uuid[])`;
  const mails = await sql<{ readonly id: string }>`
    select id from outgoing_emails
    where org_id = ${orgId} and id = any(array(
      select unnest(${receipts}::uuid[]) union select receipt_id from purchases where ${ofCustomers}
    ))
    order by id for update
  `.execute(trx);
  const deliveries = await lockDeliveries(trx, orgId, customerIds, addresses);
  const purchases = await sql<{ readonly id: string }>`
    select id from purchases where ${ofCustomers} order by id for update
  `.execute(trx);
  const purchaseIds = purchases.rows.map(({ id }) => id);
  const links = await sql<{ readonly id: string }>`
    select id from download_links
    where org_id = ${orgId} and purchase_id = any(${purchaseIds}::uuid[]) order by id for update
  `.execute(trx);
  const moved = await sql<{ readonly id: string; readonly purchaseId: string }>`
    select id, purchase_id as "purchaseId" from download_links where ${ofCustomers}
  `.execute(trx);
  return {
    orgId,
    customers,
    addresses,
    purchaseIds,
    linkIds: [...links.rows, ...moved.rows].map(({ id }) => id),
    movedPurchaseIds: moved.rows.map(({ purchaseId }) => purchaseId),
    receiptIds: mails.rows.map(({ id }) => id),
    deliveries,
    deliveryIds: deliveries.map(({ id }) => id),
    bodyIds: [...new Set(deliveries.map(({ bodyId }) => bodyId))],
  };
}

/**
 * By the address, by what they bought, and by the order, which also has events without an address, such as a refund. Some name the
 * order by its number alone: their connection is compared afterwards, because the planner would read all events of the connection
 * for each order.
 */
async function lockDeliveries(
  trx: Trx,
  orgId: string,
  customerIds: readonly string[],
  addresses: readonly string[],
): Promise<readonly DeliveryRow[]> {
  const ofBuyer = sql`org_id = ${orgId} and customer_id = any(${customerIds}::uuid[])`;
  const ofAddress = sql`org_id = ${orgId} and email_normalized = any(${addresses}::text[])`;
  const { rows } = await sql<DeliveryRow>`
    with named as materialized (
      select connection_id, order_id, order_number from purchases where ${ofBuyer}
      union
      select connection_id, order_id, order_number from deliveries where ${ofAddress}
    )
    select id, body_id as "bodyId", connection_id as "connectionId", order_id as "orderId" from deliveries
    where org_id = ${orgId} and id = any(array(
      select id from deliveries where ${ofAddress}
      union
      select line.delivery_id from purchases purchase
      join delivery_lines line on line.org_id = ${orgId} and line.purchase_id = purchase.id
      where purchase.org_id = ${orgId} and purchase.customer_id = any(${customerIds}::uuid[])
      union
      select entry.id from purchases purchase
      join deliveries entry on entry.org_id = ${orgId}
        and entry.connection_id = purchase.connection_id and entry.order_id = purchase.order_id
      where purchase.org_id = ${orgId} and purchase.customer_id = any(${customerIds}::uuid[])
      union
      select event.id from named cross join lateral (
        select id from deliveries
        where org_id = ${orgId} and connection_id = named.connection_id and order_id = named.order_id
          and email_normalized is null
        union all
        select id from (
          select id, connection_id, order_id, order_number from deliveries
          where org_id = ${orgId} and ${hasOwnNumber}
            and lower(ltrim(order_number, '#')) = lower(ltrim(named.order_number, '#'))
          offset 0
        ) numbered
        where order_id is null and connection_id = named.connection_id and order_number = named.order_number
        offset 0
      ) event
    ))
    order by id for update
  `.execute(trx);
  return rows;
}

/** Whether the shop has sent something about an order of a buyer since the buyer was erased. */
async function isToldOf(trx: Trx, { orgId, deliveryIds, bodyIds }: Erased): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deliveries where org_id = ${orgId} and id = any(${deliveryIds}::uuid[]) and email_normalized is not null
    union all
    select 1 from delivery_bodies where org_id = ${orgId} and id = any(${bodyIds}::uuid[])
    limit 1
  `.execute(trx);
  return rows.length > 0;
}

/** Receipts, and mails with new links, which name a purchase. */
async function isMailWaiting(trx: Trx, { orgId, receiptIds, purchaseIds }: Erased): Promise<boolean> {
  const { rows } = await sql`
    select from outgoing_emails
    where org_id = ${orgId} and status = 'pending' and id = any(array(
      select unnest(${receiptIds}::uuid[])
      union
      select id from outgoing_emails where org_id = ${orgId} and kind = 'links' and subject = any(${purchaseIds}::text[])
    ))
    limit 1
  `.execute(trx);
  return rows.length > 0;
}

/** An order with an unmatched SKU is delivered once it is mapped, as long as its body is kept. Few lines are unmatched. */
async function isOrderWaiting(trx: Trx, { orgId, bodyIds }: Erased): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deliveries
    where org_id = ${orgId} and body_id = any(${bodyIds}::uuid[]) and status in ('pending', 'held')
    union all
    select 1 from delivery_lines line
    cross join lateral (
      select body_id from deliveries where org_id = ${orgId} and id = line.delivery_id
      offset 0
    ) entry
    where line.org_id = ${orgId} and line.sku_key is not null and entry.body_id = any(${bodyIds}::uuid[])
      and exists (select from delivery_bodies where org_id = ${orgId} and id = entry.body_id)
    limit 1
  `.execute(trx);
  return rows.length > 0;
}

async function eraseIdentities(trx: Trx, { orgId, customers }: Erased): Promise<void> {
  const nobodies = customers.map(({ id }) => {
    const { email, name } = eraseIdentity({ id });
    return { id, email, name, words: wordsToFind(name).join(' ') };
  });
  await sql`
    update customers
    set email = nobody.email, email_normalized = nobody.email, name = nobody.name, search_words = nobody.words
    from ${unnestRows(nobodies).as('nobody (id uuid, email text, name text, words text)')}
    where org_id = ${orgId} and customers.id = nobody.id
  `.execute(trx);
}
