import { type DownloadSessionRow, LISTED_FILES } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';

/** Numbers that may exceed 32 bits are read as text. */
export type SessionColumns = Omit<DownloadSessionRow, 'bytes' | 'sent' | 'size'> & {
  readonly bytes: string;
  readonly sent: string;
  readonly size: string;
};

export function toSessionRow<Columns extends SessionColumns>(row: Columns) {
  return { ...row, bytes: Number(row.bytes), sent: Number(row.sent), size: Number(row.size) };
}

/** The columns of a session in every list; select them from `page`, rows of sessions, with `sessionJoins`. */
export const sessionColumns: RawBuilder<unknown> = sql`
  page.id,
  page.org_id as "orgId",
  page.started_at as "startedAt",
  page.last_byte_at as "lastByteAt",
  page.bytes,
  page.completed_at as "completedAt",
  page.client,
  purchase.id as "purchaseId",
  purchase.order_id as "orderId",
  product.id as "productId",
  product.name as "productName",
  product.slug as "productSlug",
  version.version,
  customer.name as "customerName",
  customer.email as "customerEmail",
  files.begun as "filesBegun",
  files.whole as "filesWhole",
  files.names as "fileNames",
  files.sent,
  files.size,
  link.id as "linkId",
  link.expires_at as "linkExpiresAt",
  link.used_at as "linkUsedAt",
  link.revoked_at as "linkRevokedAt"
`;

/** The rows are of one organisation, which each table names itself. */
export function sessionJoins(orgId: string): RawBuilder<unknown> {
  return sql`
  from page
  join download_links link on link.org_id = ${orgId} and link.id = page.link_id
  join purchases purchase on purchase.org_id = ${orgId} and purchase.id = link.purchase_id
  join customers customer on customer.org_id = ${orgId} and customer.id = purchase.customer_id
  join products product on product.org_id = ${orgId} and product.id = purchase.product_id
  left join product_versions version
    on version.org_id = ${orgId}
      and version.id = coalesce(purchase.version_id, product.active_version_id)
  cross join lateral (
    select count(*)::integer as begun,
      (count(*) filter (where int8range(0, file.size) <@ file.sent))::integer as whole,
      coalesce(sum(file.size), 0) as size,
      coalesce(sum((select sum(upper(piece) - lower(piece)) from unnest(file.sent) piece)), 0) as sent,
      coalesce(
        (array_agg(file.name order by file.version collate "C", file.name collate "C"))[:${sql.lit(LISTED_FILES)}],
        '{}'
      ) as names
    from download_session_files file
    where file.org_id = ${orgId} and file.session_id = page.id
  ) files
`;
}
