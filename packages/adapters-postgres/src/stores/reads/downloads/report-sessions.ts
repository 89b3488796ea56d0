import type { ReportedSession } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** One page is read and written without a pause, so that it delays others by a few milliseconds only. */
const PAGE = 500;

interface ReportPage {
  readonly rows: readonly ReportedSession[];
  /** The last row, if there may be more. */
  readonly end: ReportedSession | null;
}

/**
 * A page of the sessions that began in a period, oldest first, with product and buyer. Names of files and distinct bytes
 * are not in the report, and not read.
 *
 * As in `purchases-as-json.ts`, one index scan over all ids finds the rows of each table, and a full join gives the same
 * result as a left join, because all of them belong to rows of the page, but is never a nested loop.
 */
export async function fetchReportPage(
  db: Kysely<Schema>,
  period: {
    readonly orgId: string;
    readonly from: Date;
    readonly until: Date;
    readonly after: ReportedSession | null;
  },
): Promise<ReportPage> {
  const { orgId, from, until, after } = period;
  const statement = sql<ReportColumns>`
    with page as materialized (
      select id, link_id, started_at, last_byte_at, bytes, completed_at, client
      from download_sessions
      where org_id = ${orgId} and started_at >= ${from} and started_at < ${until}
        and (started_at, id) > (${after?.startedAt ?? '-infinity'}, ${after?.id ?? NO_ID})
      order by started_at, id
      limit ${PAGE}
    ),
    ${belongings(orgId)}
    ${reported}
    order by page.started_at, page.id
  `;
  const found = await statement.execute(db);
  const rows = found.rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
  return { rows, end: rows.length < PAGE ? null : (rows.at(-1) ?? null) };
}

/** What belongs to the sessions of the page; the rows of a table are found by one scan. */
function belongings(orgId: string): RawBuilder<unknown> {
  return sql`
    link as materialized (
      select id, purchase_id from download_links
      where org_id = ${orgId} and id = any(array(select link_id from page))
    ),
    purchase as materialized (
      select id, order_id, customer_id, product_id, version_id from purchases
      where org_id = ${orgId} and id = any(array(select purchase_id from link))
    ),
    customer as materialized (
      select id, name, email from customers
      where org_id = ${orgId} and id = any(array(select customer_id from purchase))
    ),
    product as materialized (
      select id, name, active_version_id from products
      where org_id = ${orgId} and id = any(array(select product_id from purchase))
    ),
    sale as materialized (
      select purchase.id, purchase.order_id, purchase.customer_id, product.name as product_name,
        coalesce(purchase.version_id, product.active_version_id) as version_id
      from purchase
      full join product on product.id = purchase.product_id
    ),
    version as materialized (
      select id, version from product_versions
      where org_id = ${orgId} and id = any(array(select version_id from sale))
    ),
    files as materialized (
      select session_id, count(*)::integer as begun,
        (count(*) filter (where int8range(0, size) <@ sent))::integer as whole
      from download_session_files
      where org_id = ${orgId} and session_id = any(array(select id from page))
      group by session_id
    )
  `;
}

const reported = sql`
  select
    page.id,
    page.started_at as "startedAt",
    page.last_byte_at as "lastByteAt",
    page.bytes,
    page.completed_at as "completedAt",
    page.client,
    sale.id as "purchaseId",
    sale.order_id as "orderId",
    sale.product_name as "productName",
    version.version,
    customer.name as "customerName",
    customer.email as "customerEmail",
    coalesce(files.begun, 0) as "filesBegun",
    coalesce(files.whole, 0) as "filesWhole"
  from page
  full join link on link.id = page.link_id
  full join sale on sale.id = link.purchase_id
  full join customer on customer.id = sale.customer_id
  full join version on version.id = sale.version_id
  full join files on files.session_id = page.id
`;

/** Sorts before every row. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A number that may exceed 32 bits is read as text. */
type ReportColumns = Omit<ReportedSession, 'bytes'> & { readonly bytes: string };
