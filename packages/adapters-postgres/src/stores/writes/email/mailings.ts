import type { Customers, MailedPurchase, Mailing, Mailings } from '@handover/domain';
import { normalizeEmail } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { isLostRace } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { insertActivity } from '../fulfilment/insert-bought.ts';
import { renewMailing } from './renew-mailing.ts';

export function createPostgresCustomers(db: Kysely<Schema>): Customers {
  return {
    findByEmail: async (orgId, email) => {
      if (!areIds(orgId)) return null;
      const row = await db
        .selectFrom('customers')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('email_normalized', '=', normalizeEmail(email))
        .executeTakeFirst();
      if (!row) return null;
      const { id, org_id, email: typed, name, created_at } = row;
      return { id, orgId: org_id, email: typed, name, createdAt: created_at };
    },
  };
}

export function createPostgresMailings(db: Kysely<Schema>, jobs: JobOutbox): Mailings {
  return {
    find: async (orgId, purchaseId) =>
      areIds(orgId, purchaseId) ? findMailing(db, orgId, purchaseId) : null,

    retryNow: async (orgId, receiptId, entry) => {
      const job = {
        kind: 'send-email',
        emailKind: 'receipt',
        orgId,
        emailId: receiptId,
        startAfter: entry.at,
      } as const;
      const outcome = await transact<'queued' | 'due' | 'changed-meanwhile'>(db, async (trx, giveUp) => {
        if (!(await makeDue(trx, orgId, receiptId, entry.at))) {
          giveUp((await isPending(trx, orgId, receiptId)) ? 'due' : 'changed-meanwhile');
        }
        await insertActivity(trx, { orgId, activity: [entry] });
        await jobs.enqueue(trx, [job]);
        return 'queued';
      });
      if (outcome === 'queued') jobs.wake([job]);
      return outcome;
    },

    renew: async (mailing) => {
      try {
        const outcome = await transact<'queued' | 'changed-meanwhile'>(db, async (trx, giveUp) => {
          await renewMailing(trx, jobs, mailing, () => giveUp('changed-meanwhile'));
          return 'queued';
        });
        if (outcome === 'queued') jobs.wake(mailing.jobs);
        return outcome;
      } catch (error) {
        if (isLostRace(error)) return 'changed-meanwhile';
        throw error;
      }
    },
  };
}

/** One conditional update: of many concurrent requests, the row admits one. */
async function makeDue(trx: Transaction<Schema>, orgId: string, receiptId: string, at: Date) {
  const row = await trx
    .updateTable('outgoing_emails')
    .set({ attempts: 0, pending_since: at, next_try_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('status', '=', 'pending')
    .where('next_try_at', '>', at)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

async function isPending(trx: Transaction<Schema>, orgId: string, receiptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('outgoing_emails')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}

interface MailingRow {
  readonly customerId: string;
  readonly customerEmail: string;
  readonly customerName: string;
  readonly receipt: Mailing['receipt'];
  readonly purchases: readonly MailedPurchase[];
}

/** One statement, so that all of it is of one moment. */
async function findMailing(db: Kysely<Schema>, orgId: string, purchaseId: string): Promise<Mailing | null> {
  const { rows } = await sql<MailingRow>`
    select
      customer.id as "customerId", customer.email as "customerEmail", customer.name as "customerName",
      case when receipt.id is not null
        then json_build_object('id', receipt.id, 'status', receipt.status)
      end as receipt,
      (
        select json_agg(
          json_build_object(
            'id', mailed.id,
            'orderNumber', mailed.order_number,
            'productName', product.name,
            'revoked', link.revoked_at is not null
          )
          order by mailed.id
        )
        from purchases mailed
        join products product on product.org_id = ${orgId} and product.id = mailed.product_id
        cross join lateral (
          select revoked_at from download_links
          where org_id = ${orgId} and purchase_id = mailed.id
          order by created_at desc, id desc
          limit 1
        ) link
        where mailed.org_id = ${orgId}
          and (mailed.id = purchase.id or mailed.receipt_id = purchase.receipt_id)
      ) as purchases
    from purchases purchase
    join customers customer on customer.org_id = ${orgId} and customer.id = purchase.customer_id
    left join outgoing_emails receipt on receipt.org_id = ${orgId} and receipt.id = purchase.receipt_id
    where purchase.org_id = ${orgId} and purchase.id = ${purchaseId}
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { customerId, customerEmail, customerName, receipt, purchases } = row;
  return { customer: { id: customerId, email: customerEmail, name: customerName }, receipt, purchases };
}
