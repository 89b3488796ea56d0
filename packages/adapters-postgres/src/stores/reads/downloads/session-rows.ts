import { type DownloadSessionRow, LISTED_FILES } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** One page is read and written without a pause, so that it delays others by a few milliseconds only. */
const PAGE = 500;

interface SessionPage {
  readonly rows: readonly DownloadSessionRow[];
  /** The last row, if there may be more. */
  readonly end: DownloadSessionRow | null;
}

/** A page of the sessions that began in a period, oldest first, with product and buyer. */
export async function fetchSessionPage(
  db: Kysely<Schema>,
  period: {
    readonly orgId: string;
    readonly from: Date;
    readonly until: Date;
    readonly after: DownloadSessionRow | null;
  },
): Promise<SessionPage> {
  const { orgId, from, until, after } = period;
  const statement = sql<SessionColumns>`
    with page as materialized (
      select * from download_sessions session
      where session.org_id = ${orgId} and session.started_at >= ${from} and session.started_at < ${until}
        and (session.started_at, session.id) > (${after?.startedAt ?? '-infinity'}, ${after?.id ?? NO_ID})
      order by session.started_at, session.id
      limit ${PAGE}
    )
    select ${sessionColumns} ${sessionJoins(orgId)}
    order by page.started_at, page.id
  `;
  const found = await statement.execute(db);
  const rows = found.rows.map(toSessionRow);
  return { rows, end: rows.length < PAGE ? null : (rows.at(-1) ?? null) };
}

/** Sorts before every row. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

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
