import { type RawBuilder, sql } from 'kysely';

/** The newest link of a purchase, which is the one that counts. To be joined as a lateral subquery. */
export function newestLink(
  orgId: string | RawBuilder<unknown>,
  purchaseId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select * from download_links
    where org_id = ${orgId} and purchase_id = ${purchaseId}
    order by created_at desc, id desc
    limit 1
  )`;
}
