import {
  type RejectedDeliveries,
  type RejectedDelivery,
  type RejectionSummary,
  subjectOfRejected,
} from '@handover/domain';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { plainBytes } from './delivery-log.ts';

export function readRejectedDeliveries(
  db: Db,
): Pick<RejectedDeliveries, 'list' | 'listDismissed' | 'summary'> {
  const listThose = async (orgId: string, platform: string, since: Date, those: RawBuilder<boolean>) => {
    if (!areIds(orgId)) return [];
    const rows = await db
      .selectFrom('rejected_deliveries as kept')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('platform', '=', platform)
      .where('received_at', '>=', since)
      .where(those)
      .orderBy('id')
      .execute();
    return rows.map(toRejectedDelivery);
  };
  return {
    list: (orgId, platform, since) => listThose(orgId, platform, since, isNeeded(orgId)),

    listDismissed: (orgId, platform, since) =>
      listThose(orgId, platform, since, sql`${isNotAccepted(orgId)} and ${isDismissed(orgId)}`),

    summary: async (orgId) => {
      if (!areIds(orgId)) return [];
      const { rows } = await sql<RejectionSummary>`
        select
          platform,
          count::float8 as count,
          (
            select count(*)::integer from rejected_deliveries kept
            where kept.org_id = ${orgId} and kept.platform = rejection.platform and ${isNeeded(orgId)}
          ) as kept,
          last_at as "lastAt",
          last_reason as "lastReason"
        from rejection_counts rejection
        where org_id = ${orgId}
        order by platform collate "C"
      `.execute(db);
      return rows;
    },
  };
}

/** Whether the rejected request `kept` was not dismissed, and no later request with its order and address was accepted. */
export function isNeeded(orgId: string): RawBuilder<boolean> {
  return sql`${isNotAccepted(orgId)} and not ${isDismissed(orgId)}`;
}

/**
 * Whether `kept` is a reason for the alert of its platform: it is needed, and genuine. Rows of an older version do not say
 * whether they are genuine: null counts as genuine.
 */
export function keepsAlert(orgId: string): RawBuilder<boolean> {
  return sql`kept.is_genuine is not false and ${isNeeded(orgId)}`;
}

function isDismissed(orgId: string): RawBuilder<boolean> {
  return sql`exists (
    select from dismissals dismissed
    where dismissed.org_id = ${orgId} and dismissed.subject = ${subjectOfRejected('')} || kept.id::text
  )`;
}

function isNotAccepted(orgId: string): RawBuilder<boolean> {
  return sql`not exists (
    select from deliveries accepted
    where accepted.org_id = ${orgId} and lower(accepted.order_id) = lower(kept.order_id)
      and accepted.order_id = kept.order_id and accepted.platform = kept.platform
      and accepted.email_normalized = kept.email_normalized and accepted.received_at >= kept.received_at
      and accepted.status not in ('error', 'ignored')
  )`;
}

function toRejectedDelivery(row: Selectable<Schema['rejected_deliveries']>): RejectedDelivery {
  return {
    id: row.id,
    orgId: row.org_id,
    platform: row.platform,
    receivedAt: row.received_at,
    source: row.source,
    reason: row.reason,
    bytes: plainBytes(row.bytes),
    headers: row.headers,
    secretFingerprint: row.secret_fingerprint,
    ...(row.order_id !== null &&
      row.email_normalized !== null && {
        order: {
          orderId: row.order_id,
          orderNumber: row.order_number,
          normalizedEmail: row.email_normalized,
        },
      }),
  };
}
