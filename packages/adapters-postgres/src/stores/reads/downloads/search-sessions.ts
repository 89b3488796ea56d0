import {
  type DownloadQuery,
  type DownloadSessionRecord,
  type DownloadSessionRow,
  type DownloadState,
  INTERRUPTED_AFTER_MS,
  searchWords,
} from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { isOfCustomer, productsNamed } from '../purchases/search-purchases.ts';
import { progressOfFiles } from './session-progress.ts';
import { type SessionColumns, sessionColumns, sessionJoins, toSessionRow } from './session-rows.ts';

/** More purchases of one search than anyone pages through. */
const MAX_PURCHASES = 1000;

/**
 * A page of sessions. Each possible meaning of a text (buyer, product) is searched by its own index, newest first,
 * and only the page's rows are joined.
 */
export async function searchSessions(
  db: Db,
  orgId: string,
  query: DownloadQuery,
): Promise<readonly DownloadSessionRow[]> {
  if (!areIds(...[orgId, query.before].filter((id) => id !== null))) return [];
  const isOfAll = query.text.trim() === '';
  const pages = isOfAll
    ? [newestOf(orgId, query, isOfState(query.state))]
    : [newestOfBuyers(orgId, query), newestOfProducts(orgId, query)];
  const { rows } = await sql<SessionColumns>`
    with found as materialized (${sql.join(pages, sql` union `)}),
    page as materialized (
      select session.* from download_sessions session
      join (select id from found order by started_at desc, id desc limit ${query.limit}) as newest
        on session.org_id = ${orgId} and session.id = newest.id
    )
    select ${sessionColumns} ${sessionJoins(orgId)}
    order by page.started_at desc, page.id desc
  `.execute(db);
  return rows.map(toSessionRow);
}

/** One session with the bytes sent of each file. */
export async function showSession(
  db: Db,
  orgId: string,
  sessionId: string,
): Promise<DownloadSessionRecord | null> {
  if (!areIds(orgId, sessionId)) return null;
  const { rows } = await sql<SessionColumns & Pick<DownloadSessionRecord, 'files' | 'purchaseRevokedAt'>>`
    with page as materialized (
      select * from download_sessions where org_id = ${orgId} and id = ${sessionId}
    )
    select
      ${sessionColumns},
      (select ${progressOfFiles(orgId)} from (select page.id) session) as files,
      (
        select revoked_at from download_links
        where org_id = ${orgId} and purchase_id = purchase.id
        order by created_at desc, id desc
        limit 1
      ) as "purchaseRevokedAt"
    ${sessionJoins(orgId)}
  `.execute(db);
  return rows[0] ? toSessionRow(rows[0]) : null;
}

function newestOf(orgId: string, query: DownloadQuery, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select id, started_at from download_sessions session
    where ${sql.join([...listFilters(orgId, query), condition], sql` and `)}
    order by started_at desc, id desc
    limit ${query.limit}
  )`;
}

function newestOfBuyers(orgId: string, query: DownloadQuery): RawBuilder<unknown> {
  const words = searchWords(query.text);
  if (words.length === 0) return newestOf(orgId, query, sql`false`);
  const links = sql`array(
    select link.id
    from (
      select id from purchases
      where org_id = ${orgId} and ${isOfCustomer(orgId, words)}
      order by created_at desc, id desc
      limit ${MAX_PURCHASES}
    ) bought
    join download_links link on link.org_id = ${orgId} and link.purchase_id = bought.id
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
    // There are few, and an index by time finds them among very many that stopped long ago.
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

/** The value of the column: the two states that differ only by time are one. */
const PROGRESS: Readonly<Record<DownloadState, string>> = {
  completed: 'completed',
  sent: 'sent',
  running: 'partly',
  interrupted: 'partly',
  started: 'started',
};
