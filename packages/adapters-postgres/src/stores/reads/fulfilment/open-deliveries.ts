import {
  formatRelease,
  type HeldOrder,
  LISTED_LINES,
  type LogEntry,
  type OpenDeliveries,
  type Release,
  type UnmatchedCursor,
  type UnmatchedSku,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds, FIRST_ID } from '../../../statements/ids.ts';
import { countRows } from '../../../statements/rows.ts';
import { logColumns } from './log-columns.ts';
import { areReleasable, canRun, countReleased, selectReleased } from './released-entries.ts';

export function readOpenDeliveries(db: Db): Omit<OpenDeliveries, 'release' | 'releaseNext' | 'rerunAll'> {
  return {
    countHeld: async (orgId, productId) => {
      if (!areIds(orgId, productId)) return 0;
      return countRows(
        db,
        sql`select distinct connection_id, order_id from deliveries
          where org_id = ${orgId} and ${isHeldFor(orgId, productId)}`,
      );
    },
    listHeld: async (orgId, productId, limit) =>
      areIds(orgId, productId) ? fetchHeld(db, orgId, productId, limit) : [],
    countWithSku: async (orgId, sku, platform) =>
      areIds(orgId) ? countReleased(db, orgId, { kind: 'sku', sku, platform }) : 0,
    listWithSku: async (orgId, sku, limit) => (areIds(orgId) ? fetchWithSku(db, orgId, sku, limit) : []),
    isReleasing: async (orgId, release) => {
      if (!areReleasable(orgId, release)) return false;
      const { rows } = await sql`
        select from releases where org_id = ${orgId} and release = ${formatRelease(release)}
      `.execute(db);
      return rows.length > 0;
    },
    countUnmatched: async (orgId) => {
      if (!areIds(orgId)) return 0;
      return countRows(
        db,
        sql`select distinct sku_key from (
          select distinct sku_key, platform, candidate from delivery_lines
          where org_id = ${orgId} and sku_key is not null
        ) named
        where ${isUnknown(orgId)}`,
      );
    },
    listUnmatched: async (orgId, { after, limit }) => {
      if (!areIds(orgId, after?.deliveryId)) return [];
      return fetchUnmatched(db, orgId, after, limit);
    },
  };
}

/** Ids are in order of time, so the smallest id of an order is its first entry. */
async function fetchHeld(
  db: Db,
  orgId: string,
  productId: string,
  limit: number,
): Promise<readonly HeldOrder[]> {
  const { rows } = await sql<HeldOrder>`
    select id as "deliveryId", received_at as "receivedAt" from (
      select distinct on (connection_id, order_id) id, received_at from deliveries
      where org_id = ${orgId} and ${isHeldFor(orgId, productId)}
      order by connection_id, order_id, id
    ) held
    order by id
    limit ${limit}
  `.execute(db);
  return rows;
}

function isHeldFor(orgId: string, productId: string) {
  return sql`id in (
    select delivery_id from delivery_lines
    where org_id = ${orgId} and product_id = ${productId} and outcome = 'held'
  )`;
}

/** The index of SKUs has the newest first, so that this reads only the page, and entries before its end that cannot be run. */
async function fetchWithSku(db: Db, orgId: string, sku: string, limit: number): Promise<readonly LogEntry[]> {
  const release: Release = { kind: 'sku', sku, platform: null };
  const { rows } = await sql<LogEntry>`
    with page as materialized (
      select entry.* from (${selectReleased(orgId, release, FIRST_ID)} order by id desc) released
      cross join lateral (
        select * from deliveries where org_id = ${orgId} and id = released.id offset 0
      ) entry
      where ${canRun(orgId, release)}
      order by released.id desc
      limit ${limit}
    )
    select ${logColumns(orgId, LISTED_LINES)} from page order by page.id desc
  `.execute(db);
  return rows;
}

/** Reads one index only. Grouped first, because there are far fewer SKUs than lines that name them. */
function groupUnmatched(orgId: string) {
  return sql`
    select sku_key, platform, candidate, max(delivery_id::text collate "C") as newest,
      count(distinct delivery_id)::integer as entries
    from delivery_lines
    where org_id = ${orgId} and sku_key is not null
    group by sku_key, platform, candidate`;
}

/**
 * Whether no mapping matches. As in `matchLine`, a mapping for all platforms does not match ids that a vendor assigned. With
 * `offset 0` it is one lookup for each name: before there are statistics, a join may compare each name with all mappings.
 */
export function isUnknown(orgId: string) {
  return sql`not exists (
    select from sku_mappings mapping
    where mapping.org_id = ${orgId} and mapping.sku = named.sku_key
      and (mapping.platform = named.platform or (mapping.platform = '' and named.candidate = 'sku'))
    offset 0
  )`;
}

async function fetchUnmatched(
  db: Db,
  orgId: string,
  after: UnmatchedCursor | null,
  limit: number,
): Promise<readonly UnmatchedSku[]> {
  const further = after
    ? sql`where newest < ${after.deliveryId.toLowerCase()}
        or (newest = ${after.deliveryId.toLowerCase()} and sku_key > ${after.key} collate "C")`
    : sql``;
  const { rows } = await sql<Omit<UnmatchedSku, 'newest'> & UnmatchedSku['newest']>`
    with page as materialized (
      select * from (
        select
          sku_key collate "C" as sku_key,
          array_agg(distinct platform collate "C" order by platform collate "C") as platforms,
          max(newest) as newest,
          sum(entries)::integer as entries
        from (${groupUnmatched(orgId)}) named
        where ${isUnknown(orgId)}
        group by sku_key
      ) grouped
      ${further}
      order by newest desc, sku_key
      limit ${limit}
    )
    select
      (
        select sku from delivery_lines line
        where line.org_id = ${orgId} and line.delivery_id = entry.id and line.sku_key = page.sku_key
        order by position
        limit 1
      ) as sku,
      page.sku_key as key,
      page.platforms,
      page.entries,
      entry.id as "deliveryId",
      entry.received_at as "receivedAt"
    from page
    join deliveries entry on entry.org_id = ${orgId} and entry.id = page.newest::uuid
    order by page.newest desc, page.sku_key
  `.execute(db);
  return rows.map(({ deliveryId, receivedAt, ...sku }) => ({ ...sku, newest: { deliveryId, receivedAt } }));
}
