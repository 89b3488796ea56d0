import type { MailedPurchase, Mailing, Mailings } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { showReceipt } from './show-receipt.ts';

export function readMailings(db: Db): Pick<Mailings, 'find' | 'findAll' | 'showReceipt'> {
  return {
    find: async (orgId, purchaseId) => {
      const [found = null] = areIds(orgId, purchaseId) ? await findMailings(db, orgId, [purchaseId]) : [];
      return found;
    },
    findAll: async (orgId, purchaseIds) =>
      areIds(orgId)
        ? findMailings(
            db,
            orgId,
            purchaseIds.filter((id) => areIds(id)),
          )
        : [],
    showReceipt: (orgId, purchaseId) => showReceipt(db, orgId, purchaseId),
  };
}

interface MailingRow {
  readonly customerId: string;
  readonly customerEmail: string;
  readonly customerName: string;
  readonly receipt: Mailing['receipt'];
  readonly purchases: readonly MailedPurchase[];
}

/** One statement, so that all of it is of one moment. Purchases of one receipt have one mailing. */
async function findMailings(
  db: Db,
  orgId: string,
  purchaseIds: readonly string[],
): Promise<readonly Mailing[]> {
  const { rows } = await sql<MailingRow>`
    select
      customer.id as "customerId", customer.email as "customerEmail", customer.name as "customerName",
      case when receipt.id is not null
        then json_build_object(
          'id', receipt.id, 'status', receipt.status, 'language', receipt.language, 'answer', receipt.last_answer
        )
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
    where purchase.org_id = ${orgId} and purchase.id = any(${purchaseIds}::uuid[])
    order by purchase.id
  `.execute(db);
  const mailings = rows.map(({ customerId, customerEmail, customerName, receipt, purchases }) => ({
    customer: { id: customerId, email: customerEmail, name: customerName },
    receipt,
    purchases,
  }));
  return uniqueMailings(mailings);
}

/** A purchase without a receipt is a mailing of its own. */
function uniqueMailings(mailings: readonly Mailing[]): readonly Mailing[] {
  return [...new Map(mailings.map((one) => [one.purchases[0]?.id, one])).values()];
}
