import type { DownloadSessionRow } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** A page of the sessions that began in a period, oldest first, with who downloaded what. */
export async function fetchSessionRows(
  db: Kysely<Schema>,
  {
    orgId,
    from,
    until,
    after,
    limit,
  }: {
    readonly orgId: string;
    readonly from: Date;
    readonly until: Date;
    readonly after: DownloadSessionRow | null;
    readonly limit: number;
  },
): Promise<readonly DownloadSessionRow[]> {
  const further = after
    ? sql`and (session.started_at, session.id) > (${after.startedAt}, ${after.id})`
    : sql``;
  const { rows } = await sql<Omit<DownloadSessionRow, 'bytes'> & { readonly bytes: string }>`
    with page as materialized (
      select * from download_sessions session
      where session.org_id = ${orgId} and session.started_at >= ${from} and session.started_at < ${until}
        ${further}
      order by session.started_at, session.id
      limit ${limit}
    )
    select
      page.id,
      page.started_at as "startedAt",
      page.last_byte_at as "lastByteAt",
      page.bytes,
      page.completed_at as "completedAt",
      page.client,
      purchase.id as "purchaseId",
      purchase.order_id as "orderId",
      product.name as "productName",
      version.version,
      customer.name as "customerName",
      customer.email as "customerEmail",
      files.begun as "filesBegun",
      files.whole as "filesWhole"
    from page
    join download_links link on link.org_id = page.org_id and link.id = page.link_id
    join purchases purchase on purchase.org_id = page.org_id and purchase.id = link.purchase_id
    join customers customer on customer.org_id = page.org_id and customer.id = purchase.customer_id
    join products product on product.org_id = page.org_id and product.id = purchase.product_id
    left join product_versions version
      on version.org_id = page.org_id
        and version.id = coalesce(purchase.version_id, product.active_version_id)
    cross join lateral (
      select count(*)::integer as begun,
        (count(*) filter (where int8range(0, file.size) <@ file.sent))::integer as whole
      from download_session_files file
      where file.org_id = page.org_id and file.session_id = page.id
    ) files
    order by page.started_at, page.id
  `.execute(db);
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
}
