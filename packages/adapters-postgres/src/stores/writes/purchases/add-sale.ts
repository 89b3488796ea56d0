import { type AddSaleResult, isErased, type NewSale } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { violatedForeignKey } from '../../../database/store-errors.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { newestLink } from '../../reads/purchases/purchase-rows.ts';
import { lockRevision } from '../catalogue/catalogue-revision.ts';
import { checkNow, insertBought, insertNewCustomers } from '../fulfilment/insert-bought.ts';

/**
 * Nothing is checked before the inserts: unique keys decide between concurrent calls, and foreign keys whether the product
 * exists.
 */
export async function addSale(db: Db, jobs: JobOutbox, sale: NewSale): Promise<AddSaleResult> {
  try {
    return await commitAndWake<AddSaleResult>(db, jobs, async (trx, queue, giveUp) => {
      const earlier = await takeKey(trx, sale);
      if (earlier) return earlier;
      const { customerId, productId } = sale.purchase;
      if (!areIds(sale.orgId, customerId)) return giveUp({ kind: 'unknown-customer' });
      if (!areIds(productId)) return giveUp({ kind: 'unknown-product' });
      // Until the commit, nobody can change the live version or remove a file from a version.
      await lockRevision(trx, sale.orgId);
      const check = checkNow(trx, () => giveUp({ kind: 'customer-exists' }));
      const { customer, receipt, purchase, link, activity } = sale;
      await insertNewCustomers(trx, sale.orgId, customer ? [customer] : [], check);
      const bought = { receipt, purchases: [purchase], links: [link], activity: [activity] };
      await insertBought(trx, sale.orgId, [bought], check);
      const problem = await findProblem(trx, sale);
      if (problem) return giveUp({ kind: problem });
      await queue.enqueue(trx, sale.jobs);
      return {
        kind: 'recorded',
        purchaseId: sale.purchase.id,
        // In PostgreSQL's spelling, because a retry with the same key reads it from there.
        customerId: customerId.toLowerCase(),
        linkId: sale.link.id,
      };
    });
  } catch (error) {
    const unknown = explainViolation(violatedForeignKey(error));
    if (unknown) return unknown;
    throw error;
  }
}

/** What has changed since the sale was made, and cannot change any more until the commit. */
async function findProblem(
  trx: Trx,
  { orgId, purchase }: NewSale,
): Promise<'unknown-customer' | 'changed-meanwhile' | null> {
  const { rows } = await sql<{ readonly email: string; readonly isLive: boolean }>`
    select customer.email, product.active_version_id is not distinct from ${purchase.versionId}::uuid as "isLive"
    from customers customer
    join products product on product.org_id = ${orgId} and product.id = ${purchase.productId}
    where customer.org_id = ${orgId} and customer.id = ${purchase.customerId}
  `.execute(trx);
  const [row] = rows;
  if (row && isErased(row.email)) return 'unknown-customer';
  return row?.isLive ? null : 'changed-meanwhile';
}

/**
 * Inserts the idempotency key, or returns the sale that has it. This waits for a concurrent sale with the same key
 * before it writes anything.
 */
async function takeKey(trx: Trx, sale: NewSale): Promise<AddSaleResult | null> {
  if (!sale.idempotency || !areIds(sale.orgId)) return null;
  const { key, fingerprint } = sale.idempotency;
  const taken = await trx
    .insertInto('idempotency_keys')
    .values({
      org_id: sale.orgId,
      key,
      fingerprint,
      purchase_id: sale.purchase.id,
      created_at: sale.purchase.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (taken) return null;
  // If the key was pruned in the meantime, it is free again.
  return (await findEarlier(trx, sale.orgId, key, fingerprint)) ?? takeKey(trx, sale);
}

interface EarlierRow {
  readonly isSame: boolean;
  readonly purchaseId: string;
  readonly customerId: string;
  readonly linkId: string;
}

async function findEarlier(
  trx: Trx,
  orgId: string,
  key: string,
  fingerprint: string,
): Promise<AddSaleResult | null> {
  const { rows } = await sql<EarlierRow>`
    select
      earlier.fingerprint = ${fingerprint} as "isSame",
      purchase.id as "purchaseId",
      purchase.customer_id as "customerId",
      link.id as "linkId"
    from idempotency_keys earlier
    join purchases purchase on purchase.org_id = ${orgId} and purchase.id = earlier.purchase_id
    cross join lateral ${newestLink(orgId, sql`purchase.id`)} link
    where earlier.org_id = ${orgId} and earlier.key = ${key}
  `.execute(trx);
  const [row] = rows;
  if (!row) return null;
  const { isSame, ...ids } = row;
  return isSame ? { kind: 'recorded', ...ids } : { kind: 'key-reused' };
}

function explainViolation(foreignKey: string | null): AddSaleResult | null {
  if (foreignKey?.includes('customer_id')) return { kind: 'unknown-customer' };
  // An unknown organisation has no products: the answer is the same.
  const isUnknown = foreignKey?.includes('product_id') || foreignKey === 'customers_org_id_fkey';
  return isUnknown ? { kind: 'unknown-product' } : null;
}
