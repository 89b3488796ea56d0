import { type DownloadLinks, type LibraryItem, normalizeEmail } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { versionWithFiles } from '../../reads/catalogue/product-versions.ts';
import { newestLink } from '../../reads/purchases/purchase-rows.ts';

/** One statement: what it renews is what it lists. */
export async function listOfBuyer(
  db: Db,
  email: string,
  { before, limit, renewal }: Parameters<DownloadLinks['listOfBuyer']>[1],
): Promise<readonly LibraryItem[]> {
  if (before !== null && !areIds(before)) return [];
  const address = normalizeEmail(email);
  const { rows } = await sql<LibraryItem>`
    with bought as (
      select
        purchase.org_id, purchase.id, purchase.product_id, purchase.version_id, purchase.order_number,
        purchase.created_at, newest.id as link_id, newest.expires_at,
        ${renewal ? sql`newest.expires_at > ${renewal.at}` : sql`false`} as is_renewed
      from customers customer
      join purchases purchase on purchase.org_id = customer.org_id and purchase.customer_id = customer.id
      cross join lateral ${newestLink(sql`purchase.org_id`, sql`purchase.id`)} newest
      where customer.email_normalized = ${address} and newest.revoked_at is null ${olderThan(before, address)}
      order by purchase.created_at desc, purchase.id desc
      limit ${limit}
    ), renewed as (
      update download_links link set expires_at = ${renewal?.expiresAt ?? null}
      from bought
      where bought.is_renewed and link.org_id = bought.org_id and link.id = bought.link_id
        and link.revoked_at is null
    )
    select
      bought.org_id as "orgId", bought.id as "purchaseId", bought.link_id as "linkId",
      case when bought.is_renewed then ${renewal?.expiresAt ?? null}::timestamptz else bought.expires_at end
        as "expiresAt",
      json_build_object('name', organisation.name, 'email', organisation.email) as shop,
      product.name as "productName",
      ${versionWithFiles(sql`product.org_id`)} as version,
      bought.order_number as "orderNumber", bought.created_at as "boughtAt"
    from bought
    join organisations organisation on organisation.id = bought.org_id
    join products product on product.org_id = bought.org_id and product.id = bought.product_id
    left join product_versions version
      on version.org_id = product.org_id
        and version.id = coalesce(bought.version_id, product.active_version_id)
    order by bought.created_at desc, bought.id desc
  `.execute(db);
  return rows;
}

/** One that is not the buyer's ends the list. */
function olderThan(before: string | null, address: string): RawBuilder<unknown> {
  if (before === null) return sql``;
  return sql`and (purchase.created_at, purchase.id) < (
    select last.created_at, last.id
    from customers buyer
    join purchases last on last.org_id = buyer.org_id and last.customer_id = buyer.id
    where buyer.email_normalized = ${address} and last.id = ${before}
  )`;
}
