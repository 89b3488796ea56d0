import type { RejectedDeliveries, RejectedDelivery, RejectionSummary } from '@handover/domain';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function readRejectedDeliveries(db: Kysely<Schema>): Pick<RejectedDeliveries, 'list' | 'summary'> {
  return {
    list: async (orgId, platform, since) => {
      if (!areIds(orgId)) return [];
      const rows = await db
        .selectFrom('rejected_deliveries as kept')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('platform', '=', platform)
        .where('received_at', '>=', since)
        .where(isNeeded(orgId))
        .orderBy('id')
        .execute();
      return rows.map(toRejectedDelivery);
    },

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

/** Whether no delivery that was received since brought the order of `kept`, a rejected request, to its address. */
export function isNeeded(orgId: string): RawBuilder<boolean> {
  return sql`not exists (
    select from deliveries accepted
    where accepted.org_id = ${orgId} and lower(accepted.order_id) = lower(kept.order_id)
      and accepted.order_id = kept.order_id and accepted.platform = kept.platform
      and accepted.email_normalized = kept.email_normalized and accepted.received_at >= kept.received_at
      and accepted.status not in ('error', 'ignored')
  )`;
}

function toRejectedDelivery(row: Selectable<Schema['rejected_deliveries']>): RejectedDelivery {
  const { buffer, byteOffset, byteLength } = row.bytes;
  return {
    id: row.id,
    orgId: row.org_id,
    platform: row.platform,
    receivedAt: row.received_at,
    source: row.source,
    reason: row.reason,
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    headers: row.headers,
    secretFingerprint: row.secret_fingerprint,
    ...(row.order_id !== null &&
      row.email_normalized !== null && {
        order: { orderId: row.order_id, normalizedEmail: row.email_normalized },
      }),
  };
}
