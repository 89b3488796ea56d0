import type { RejectedDeliveries, RejectedDelivery, Rejection } from '@handover/domain';
import {
  MAX_REJECTED,
  MAX_REJECTED_BYTES,
  MAX_REJECTED_BYTES_PER_SOURCE,
  MAX_REJECTED_PER_SOURCE,
  subjectOfRejected,
  WHOLE_SHARE,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { readRejectedDeliveries } from '../../reads/fulfilment/rejected-deliveries.ts';
import { raiseAlert } from '../email/raise-alert.ts';

export function createPostgresRejectedDeliveries(db: Db, jobs: JobOutbox): RejectedDeliveries {
  return {
    ...readRejectedDeliveries(db),

    record: async (rejection) => {
      const { kept, alert } = rejection;
      if (!kept) return count(db, rejection);
      if (!alert) return countAndKeep(db, rejection, kept, false);
      await transact(db, async (trx) => {
        await countAndKeep(trx, rejection, kept, true);
        await raiseAlert(trx, jobs, alert);
      });
    },

    sweep: async (before) => {
      const { numDeletedRows } = await db
        .deleteFrom('rejected_deliveries')
        .where('received_at', '<', before)
        .executeTakeFirstOrThrow();
      await db
        .deleteFrom('dismissals')
        .where('subject', 'like', `${subjectOfRejected('')}%`)
        .where('seen_at', '<', before)
        .execute();
      return Number(numDeletedRows);
    },
  };
}

/** Removes a request from the rejected ones; false if it is not there, or another transaction removed it first. */
export async function takeRejected(trx: Trx, orgId: string, id: string): Promise<boolean> {
  const taken = await trx
    .deleteFrom('rejected_deliveries')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

async function count(db: Db, rejection: Rejection): Promise<void> {
  await countUp(rejection).execute(db);
}

/**
 * One statement, which sees the rows before it and adds the new one: `chooseKept`, in SQL. It skips rows that another
 * transaction has locked (a delivery, another trim) and does not wait for them.
 */
async function countAndKeep(
  db: Db,
  rejection: Rejection,
  { id, receivedAt, source, reason, bytes, headers, secretFingerprint, order }: RejectedDelivery,
  isGenuine: boolean,
): Promise<void> {
  const { orgId, platform } = rejection;
  await sql`
    with counted as (${countUp(rejection)}),
    held as (
      select id, source, octet_length(bytes) as size, is_genuine is true as is_genuine from rejected_deliveries
      where org_id = ${orgId} and platform = ${platform}
      union all
      select ${id}::uuid, ${source}::text, ${bytes.length}::integer, ${isGenuine}::boolean
    ),
    shares as (
      select id, size, is_genuine, greatest(
        row_number() over newest_of_source * ${sql.lit(MAX_REJECTED_BYTES_PER_SOURCE)},
        sum(size) over newest_of_source * ${sql.lit(MAX_REJECTED_PER_SOURCE)}
      ) as share
      from held
      window newest_of_source as (partition by source, is_genuine order by id desc)
    ),
    fairest as (
      select id, share, row_number() over first_to_last as place, sum(size) over first_to_last as bytes
      from shares
      window first_to_last as (order by is_genuine desc, share, id desc)
    ),
    chosen as (
      select id from fairest
      where share <= ${sql.lit(WHOLE_SHARE)} and place <= ${sql.lit(MAX_REJECTED)}
        and bytes <= ${sql.lit(MAX_REJECTED_BYTES)}
    ),
    trimmed as (
      delete from rejected_deliveries
      where org_id = ${orgId} and id in (
        select id from rejected_deliveries
        where org_id = ${orgId} and platform = ${platform} and id not in (select id from chosen)
        for update skip locked
      )
    )
    insert into rejected_deliveries
      (org_id, id, platform, received_at, source, reason, bytes, headers, secret_fingerprint, is_genuine,
        order_id, order_number, email_normalized)
    select
      ${orgId}, ${id}, ${platform}, ${receivedAt}, ${source}, ${reason}, ${bytes}, ${JSON.stringify(headers)},
      ${secretFingerprint}, ${isGenuine}, ${orderColumns(order)}
    where ${id}::uuid in (select id from chosen)
  `.execute(db);
}

function orderColumns(order: RejectedDelivery['order']) {
  return sql`${order?.orderId ?? null}, ${order?.orderNumber ?? null}, ${order?.normalizedEmail ?? null}`;
}

function countUp({ orgId, platform, count: more, at, reason }: Rejection) {
  return sql`
    insert into rejection_counts as counted (org_id, platform, count, last_at, last_reason)
    values (${orgId}, ${platform}, ${more}, ${at}, ${reason})
    on conflict (org_id, platform) do update set
      count = counted.count + excluded.count,
      last_at = greatest(counted.last_at, excluded.last_at),
      last_reason = excluded.last_reason
  `;
}
