import type { ActionItemFacts } from '@handover/domain';
import { MAX_WAITING } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { isEntryDismissed } from './dismissed.ts';

/** Orders that were read, but of which nothing was delivered, for another reason than unknown SKUs. */
export async function findFailed(db: Db, orgId: string, since: Date): Promise<ActionItemFacts['failed']> {
  const { rows } = await sql<Newest<ActionItemFacts['failed']> & { readonly withoutAddress: number }>`
    with newest_errors as materialized (${newestErrors(
      orgId,
      since,
      sql`decided_at is not null and not is_test
        and not exists (
          select from delivery_lines
          where org_id = ${orgId} and delivery_id = entry.id and (purchase_id is not null or sku_key is not null)
          offset 0
        )`,
    )}),
    failed as materialized (
      select *, email_normalized is null and not exists (
        select from delivery_lines where org_id = ${orgId} and delivery_id = newest_errors.id offset 0
      ) as lacks_address
      from newest_errors
    )
    select
      (select count(distinct (connection_id, order_id))::integer from failed) as count,
      (
        select count(distinct (connection_id, order_id))::integer from failed where lacks_address
      ) as "withoutAddress",
      lacks_address as "lacksAddress",
      ${NEWEST}
    from failed
    order by failed_at desc, id desc
    limit 1
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { count, withoutAddress, ...newest } = row;
  return { count, withoutAddress, newest };
}

export async function findUnreadable(
  db: Db,
  orgId: string,
  since: Date,
): Promise<ActionItemFacts['unreadable']> {
  const { rows } = await sql<Newest<ActionItemFacts['unreadable']>>`
    with unreadable as materialized (${newestErrors(orgId, since, sql`decided_at is null`)})
    select
      (
        select count(distinct (connection_id, coalesce(order_id, id::text)))::integer from unreadable
      ) as count,
      ${NEWEST}
    from unreadable
    order by failed_at desc, id desc
    limit 1
  `.execute(db);
  return splitCount(rows);
}

const NEWEST = sql`
  id as "deliveryId", platform, coalesce(order_number, order_id) as "orderNumber", coalesce(reason, '') as reason,
  failed_at as at
`;

/**
 * Errors, unless somebody dismissed them, or another entry of the same order has delivered or holds something. Reads each
 * connection from the index of its errors. With `offset 0`, conditions are looked up for each entry: before there are
 * statistics, a join may compare all with all.
 */
function newestErrors(orgId: string, since: Date, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select entry.* from connections connection
    cross join lateral (
      select id, platform, connection_id, order_id, order_number, email_normalized, reason,
        greatest(received_at, decided_at) as failed_at
      from deliveries entry
      where org_id = ${orgId} and connection_id = connection.id and status = 'error' and received_at >= ${since}
        and ${condition}
        and not ${isEntryDismissed(orgId, sql`entry`)}
        and not exists (
          select from deliveries other
          where other.org_id = ${orgId} and other.connection_id = entry.connection_id
            and other.order_id = entry.order_id and other.status not in ('error', 'ignored') offset 0
        )
      order by id desc
      limit ${MAX_WAITING}
    ) entry
    where connection.org_id = ${orgId}
    order by entry.id desc
    limit ${MAX_WAITING}
  `;
}

/** A row with the newest of several, and their number. */
export type Newest<Fact> = Fact extends { readonly newest: infer Row }
  ? Row & { readonly count: number }
  : never;

export function splitCount<Row extends { readonly count: number }>([row]: readonly Row[]) {
  if (!row) return null;
  const { count, ...newest } = row;
  return { count, newest };
}
