import {
  type DownloadQuery,
  type DownloadSessionRecord,
  type DownloadSessionRow,
  type DownloadState,
  INTERRUPTED_AFTER_MS,
  LISTED_FILES,
  searchWords,
} from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { isOfOrder } from '../fulfilment/order-numbers.ts';
import { newestLink } from '../purchases/purchase-rows.ts';
import { customersNamed, productsNamed } from '../purchases/search-purchases.ts';
import { progressOfFiles } from './session-progress.ts';

/** A query that finds no customers. */
const NOBODY = sql`select null::uuid as id where false`;

/** The maximum number of purchases whose sessions a search finds: nobody pages through more. */
const MAX_PURCHASES = 1000;

/**
 * A page of sessions. Each possible meaning of a text (buyer, order number, product) is searched by its own index, newest first,
 * and only the page's rows are joined.
 */
export async function searchSessions(
  db: Db,
  orgId: string,
  query: DownloadQuery,
): Promise<readonly DownloadSessionRow[]> {
  if (!areIds(orgId, query.before)) return [];
  const isOfAll = query.text.trim() === '';
  const words = searchWords(query.text);
  const pages = isOfAll
    ? [newestOf(orgId, query, isOfState(query.state))]
    : [newestOfLinks(orgId, query), newestOfProducts(orgId, query)];
  const { rows } = await sql<DownloadSessionRow>`
    with buyer as materialized (${words.length === 0 ? NOBODY : customersNamed(orgId, words)}),
    found as materialized (${sql.join(pages, sql` union `)}),
    page as materialized (
      select session.* from download_sessions session
      join (select id from found order by started_at desc, id desc limit ${query.limit}) as newest
        on session.org_id = ${orgId} and session.id = newest.id
    )
    select ${sessionColumns} ${sessionJoins(orgId)}
    order by page.started_at desc, page.id desc
  `.execute(db);
  return rows;
}

/** One session with the bytes sent of each file. */
export async function showSession(
  db: Db,
  orgId: string,
  sessionId: string,
): Promise<DownloadSessionRecord | null> {
  if (!areIds(orgId, sessionId)) return null;
  const { rows } = await sql<DownloadSessionRecord>`
    with page as materialized (
      select * from download_sessions where org_id = ${orgId} and id = ${sessionId}
    )
    select
      ${sessionColumns},
      (select ${progressOfFiles(orgId)} from (select page.id) session) as files,
      (select revoked_at from ${newestLink(orgId, sql`purchase.id`)} newest) as "purchaseRevokedAt"
    ${sessionJoins(orgId)}
  `.execute(db);
  return rows[0] ?? null;
}

function newestOf(orgId: string, query: DownloadQuery, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select id, started_at from download_sessions session
    where ${sql.join([...listFilters(orgId, query), condition], sql` and `)}
    order by started_at desc, id desc
    limit ${query.limit}
  )`;
}

/**
 * The newest sessions of the links of a buyer's or an order's purchases, and of links that were made for a buyer before the
 * purchase was moved to another one.
 */
function newestOfLinks(orgId: string, query: DownloadQuery): RawBuilder<unknown> {
  const meanings = [
    sql`customer_id = any(array(select id from buyer))`,
    ...(query.includesSales ? isOfOrder(query.text, sql`source`) : []),
  ].map(
    (meaning) => sql`(
      select id from purchases where org_id = ${orgId} and ${meaning}
      order by created_at desc, id desc
      limit ${MAX_PURCHASES}
    )`,
  );
  const links = sql`array(
    select link.id
    from (${sql.join(meanings, sql` union `)}) bought
    join download_links link on link.org_id = ${orgId} and link.purchase_id = bought.id
    union all
    (
      select id from download_links
      where org_id = ${orgId} and customer_id is not null and customer_id = any(array(select id from buyer))
      limit ${MAX_PURCHASES}
    )
  )`;
  return newestOf(orgId, query, sql`link_id = any(${links}) and ${isOfState(query.state)}`);
}

/** One query per product: as one condition, it would scan all sessions if nearly all are of one product. */
function newestOfProducts(orgId: string, query: DownloadQuery): RawBuilder<unknown> {
  const condition = sql`product_id = named.named_id and ${isOfState(query.state)}`;
  return sql`(
    select newest.id, newest.started_at
    from (${productsNamed(orgId, query.text)}) as named (named_id)
    cross join lateral ${newestOf(orgId, query, condition)} as newest
  )`;
}

function listFilters(orgId: string, { before, state, now }: DownloadQuery): readonly RawBuilder<unknown>[] {
  const quietSince = new Date(now.getTime() - INTERRUPTED_AFTER_MS);
  const after =
    before && sql`select started_at, id from download_sessions where org_id = ${orgId} and id = ${before}`;
  return [
    sql`session.org_id = ${orgId}`,
    ...(after ? [sql`(started_at, id) < (${after})`] : []),
    ...(state === 'interrupted' ? [sql`last_byte_at <= ${quietSince}`] : []),
    // They are few: an index by time finds them among the many that stopped long ago.
    ...(state === 'running'
      ? [
          sql`id = any(array(
            select id from download_sessions where org_id = ${orgId} and last_byte_at > ${quietSince}
          ))`,
        ]
      : []),
  ];
}

function isOfState(state: DownloadState | null): RawBuilder<unknown> {
  return state === null ? sql`true` : sql`progress = ${PROGRESS[state]}`;
}

/** The value of the column. The two states that differ only by time have the same value. */
const PROGRESS: Readonly<Record<DownloadState, string>> = {
  completed: 'completed',
  sent: 'sent',
  running: 'partly',
  interrupted: 'partly',
  started: 'started',
};

/** The columns of a session in every list; select them from `page`, rows of sessions, with `sessionJoins`. */
const sessionColumns: RawBuilder<unknown> = sql`
  page.id,
  page.org_id as "orgId",
  page.started_at as "startedAt",
  page.last_byte_at as "lastByteAt",
  page.bytes::float8 as bytes,
  page.completed_at as "completedAt",
  page.client,
  purchase.id as "purchaseId",
  purchase.order_id as "orderId",
  purchase.order_number as "orderNumber",
  purchase.is_test as "isTest",
  product.id as "productId",
  product.name as "productName",
  product.slug as "productSlug",
  version.version,
  customer.name as "customerName",
  customer.email as "customerEmail",
  case when moved_to.id is not null then json_build_object('name', moved_to.name, 'email', moved_to.email) end as "movedTo",
  files.begun as "filesBegun",
  files.whole as "filesWhole",
  files.names as "fileNames",
  files.sent::float8 as sent,
  files.size::float8 as size,
  link.id as "linkId",
  link.expires_at as "linkExpiresAt",
  link.used_at as "linkUsedAt",
  link.revoked_at as "linkRevokedAt"
`;

/** All rows are of one organisation. Each join compares `org_id` with its id, as every statement must. */
function sessionJoins(orgId: string): RawBuilder<unknown> {
  return sql`
  from page
  join download_links link on link.org_id = ${orgId} and link.id = page.link_id
  join purchases purchase on purchase.org_id = ${orgId} and purchase.id = link.purchase_id
  join customers customer
    on customer.org_id = ${orgId} and customer.id = coalesce(link.customer_id, purchase.customer_id)
  left join customers moved_to
    on moved_to.org_id = ${orgId}
      and moved_to.id = case when link.customer_id <> purchase.customer_id then purchase.customer_id end
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
