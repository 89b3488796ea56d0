import type { ConnectionFacts, Platform } from '@handover/domain';
import { ARRIVALS_PERIOD_MS, MAX_ARRIVALS } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

interface Row extends Omit<ConnectionFacts, 'rules' | 'lastDelivery'> {
  readonly platform: Platform;
  readonly strict: boolean;
  readonly ignoreTestOrders: boolean;
  readonly defaultCurrency: string | null;
  readonly deliveryId: string | null;
  readonly deliveredAt: Date | null;
  readonly orderId: string | null;
}

/** Reads only the newest deliveries of each connection, from the index alone. */
export async function listConnectionFacts(
  db: Kysely<Schema>,
  orgId: string,
  now: Date,
): Promise<readonly ConnectionFacts[]> {
  if (!areIds(orgId)) return [];
  const { rows } = await sql<Row>`
    select
      connection.id, connection.platform, connection.name, connection.strict,
      connection.ignore_test_orders as "ignoreTestOrders",
      connection.default_currency as "defaultCurrency",
      secret."secretSetAt", secret."secretCount", secret."hasShortSecret", secret."formerUntil",
      exists (
        select from payment_accounts where org_id = ${orgId} and connection_id = connection.id
      ) as "hasAccount",
      last.id as "deliveryId", last.received_at as "deliveredAt", last.order_id as "orderId",
      array(
        select received_at from deliveries
        where org_id = ${orgId} and connection_id = connection.id
          and received_at >= last.received_at - ${ARRIVALS_PERIOD_MS} * interval '1 millisecond'
        order by received_at desc, id desc
        limit ${MAX_ARRIVALS}
      ) as arrivals
    from connections connection
    cross join lateral (
      select
        max(created_at) filter (where expires_at is null) as "secretSetAt",
        count(*) filter (where expires_at is null)::integer as "secretCount",
        coalesce(bool_or(is_short) filter (where expires_at is null), false) as "hasShortSecret",
        max(expires_at) filter (where expires_at > ${now}) as "formerUntil"
      from connection_secrets
      where org_id = ${orgId} and connection_id = connection.id
    ) secret
    left join lateral (
      select id, received_at, order_id from deliveries
      where org_id = ${orgId} and connection_id = connection.id
      order by received_at desc, id desc
      limit 1
    ) last on true
    where connection.org_id = ${orgId}
    order by connection.created_at, connection.id
  `.execute(db);
  return rows.map(toFacts);
}

function toFacts(row: Row): ConnectionFacts {
  const { strict, ignoreTestOrders, defaultCurrency, deliveryId, deliveredAt, orderId, ...facts } = row;
  return {
    ...facts,
    rules: { strict, ignoreTestOrders, defaultCurrency },
    lastDelivery: deliveryId && deliveredAt ? { id: deliveryId, at: deliveredAt, orderId } : null,
  };
}
