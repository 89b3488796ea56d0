import type { Connection, ConnectionFacts, ConnectionRules, Connections, Platform } from '@handover/domain';
import { ARRIVALS_PERIOD_MS, MAX_ARRIVALS } from '@handover/domain';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { areIds } from '../../../statements/ids.ts';

export function readConnections(db: Db, secretBox: SecretBox): Pick<Connections, 'list' | 'listFacts'> {
  return {
    list: async (orgId, platform, now) => {
      if (!areIds(orgId)) return null;
      const rows = await fetchWithSecrets(db, orgId, platform, now);
      return rows.length === 0 ? null : groupSecrets(rows, (id) => secretContext(orgId, id), secretBox);
    },

    listFacts: (orgId, now) => listConnectionFacts(db, orgId, now),
  };
}

/**
 * A row for each secret that is still valid, and for each connection without one. No row: there is no such
 * organisation.
 */
function fetchWithSecrets(db: Db, orgId: string, platform: Platform, now: Date) {
  return db
    .selectFrom('organisations')
    .leftJoin('connections', (join) =>
      join.on('connections.org_id', '=', orgId).on('connections.platform', '=', platform),
    )
    .leftJoin('connection_secrets', (join) =>
      join
        .on('connection_secrets.org_id', '=', orgId)
        .onRef('connection_secrets.connection_id', '=', 'connections.id')
        .on((on) => on.or([on('expires_at', 'is', null), on('expires_at', '>', now)])),
    )
    .select(['connections.id', 'connections.name', 'connection_secrets.sealed', 'expires_at'])
    .select(['strict', 'ignore_test_orders', 'default_currency'])
    .where('organisations.id', '=', orgId)
    .orderBy('connections.created_at')
    .orderBy('connections.id')
    .orderBy('connection_secrets.created_at', 'desc')
    .orderBy('connection_secrets.id', 'desc')
    .execute();
}

interface RulesRow {
  readonly strict: boolean | null;
  readonly ignore_test_orders: boolean | null;
  readonly default_currency: string | null;
}

/** Null in a row without a connection. */
export function toRules(row: RulesRow): ConnectionRules {
  return {
    strict: row.strict ?? false,
    ignoreTestOrders: row.ignore_test_orders ?? false,
    defaultCurrency: row.default_currency,
  };
}

function groupSecrets(
  rows: readonly (RulesRow & {
    readonly id: string | null;
    readonly name: string | null;
    readonly sealed: string | null;
    readonly expires_at: Date | null;
  })[],
  contextFor: (connectionId: string) => string,
  secretBox: SecretBox,
): readonly Connection[] {
  const found = new Map<string, Connection & { readonly secrets: string[] }>();
  for (const row of rows) {
    const { id, name, sealed, expires_at: expiresAt } = row;
    if (id === null || name === null) continue;
    const connection = found.get(id) ?? { id, name, secrets: [], rules: toRules(row) };
    found.set(id, connection);
    if (sealed === null) continue;
    const unseal = () => secretBox.unseal(sealed, contextFor(id));
    connection.secrets.push(...(expiresAt === null ? [unseal()] : unsealFormer(unseal)));
  }
  return [...found.values()];
}

/**
 * The key that sealed a former secret may have been removed early. The secret is left out: its signatures are
 * refused, but the current secret still works.
 */
export function unsealFormer(unseal: () => string): readonly string[] {
  try {
    return [unseal()];
  } catch {
    return [];
  }
}

/** The context of a sealed secret. */
export function secretContext(orgId: string, connectionId: string): string {
  return `connection ${orgId.toLowerCase()}/${connectionId.toLowerCase()}`;
}

interface Row extends Omit<ConnectionFacts, 'lastDelivery'> {
  readonly deliveryId: string | null;
  readonly deliveredAt: Date | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
}

/** Reads only the newest deliveries of each connection, from the index alone. */
async function listConnectionFacts(db: Db, orgId: string, now: Date): Promise<readonly ConnectionFacts[]> {
  if (!areIds(orgId)) return [];
  const { rows } = await sql<Row>`
    select
      connection.id, connection.platform, connection.name,
      json_build_object(
        'strict', connection.strict, 'ignoreTestOrders', connection.ignore_test_orders,
        'defaultCurrency', connection.default_currency
      ) as rules,
      secret."secretSetAt", secret."secretCount", secret."hasShortSecret", secret."formerUntil",
      exists (
        select from payment_accounts where org_id = ${orgId} and connection_id = connection.id
      ) as "hasAccount",
      last.id as "deliveryId", last.received_at as "deliveredAt", last.order_id as "orderId", last.order_number as "orderNumber",
      array(
        select received_at from deliveries
        where org_id = ${orgId} and connection_id = connection.id and ${isOfShop(orgId)}
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
      select id, received_at, order_id, order_number from deliveries
      where org_id = ${orgId} and connection_id = connection.id and ${isOfShop(orgId)}
      order by received_at desc, id desc
      limit 1
    ) last on true
    where connection.org_id = ${orgId}
    order by connection.created_at, connection.id
  `.execute(db);
  return rows.map(toFacts);
}

/** Excludes test orders. They are few and have an index of their own, so that no row of the log is read. */
function isOfShop(orgId: string): RawBuilder<unknown> {
  return sql`not exists (
    select from deliveries test
    where test.org_id = ${orgId} and test.received_at = deliveries.received_at and test.id = deliveries.id and test.is_test
  )`;
}

function toFacts({ deliveryId, deliveredAt, orderId, orderNumber, ...facts }: Row): ConnectionFacts {
  return {
    ...facts,
    lastDelivery:
      deliveryId && deliveredAt ? { id: deliveryId, at: deliveredAt, orderId, orderNumber } : null,
  };
}
