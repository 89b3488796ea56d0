import type { Connection, ConnectionRules, Connections, Platform } from '@handover/domain';
import { isShortSecret } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { isForeignKeyViolation } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { areIds } from '../../../statements/ids.ts';
import { listConnectionFacts } from '../../reads/access/connection-facts.ts';
import { insertConnection } from './insert-connection.ts';

export function createPostgresConnections(db: Kysely<Schema>, secretBox: SecretBox): Connections {
  return {
    list: async (orgId, platform, now) => {
      if (!areIds(orgId)) return null;
      const rows = await fetchWithSecrets(db, orgId, platform, now);
      return rows.length === 0 ? null : groupSecrets(rows, (id) => secretContext(orgId, id), secretBox);
    },

    listFacts: (orgId, now) => listConnectionFacts(db, orgId, now),

    replaceSecret: (change) =>
      changeSecrets<'created' | 'replaced'>(db, change, async (trx, connectionId) => {
        await trx
          .updateTable('connection_secrets')
          .set({ expires_at: sql<Date>`least(expires_at, ${change.formerUntil})` })
          .where('org_id', '=', change.orgId)
          .where('connection_id', '=', connectionId)
          .execute();
        await insertSecret(trx, secretBox, connectionId, change);
        return connectionId === change.connectionId ? 'created' : 'replaced';
      }),

    findOrAdd: async (wanted) => {
      if (!areIds(wanted.orgId)) return null;
      const found = await db
        .selectFrom('organisations')
        .leftJoin('connections', (join) =>
          join
            .on('connections.org_id', '=', wanted.orgId)
            .on('connections.platform', '=', wanted.platform)
            .on('connections.name', '=', wanted.name),
        )
        .select(['organisations.id as orgId', 'connections.id as connectionId'])
        .where('organisations.id', '=', wanted.orgId)
        .executeTakeFirst();
      if (!found) return null;
      const { orgId, connectionId } = found;
      return connectionId === null ? insertConnection(db, wanted) : { orgId, connectionId };
    },

    addSecret: (change) =>
      changeSecrets<'created' | 'added' | 'known'>(db, change, async (trx, connectionId) => {
        if (await hasLasting(trx, secretBox, connectionId, change)) return 'known';
        await insertSecret(trx, secretBox, connectionId, change);
        return connectionId === change.connectionId ? 'created' : 'added';
      }),

    setRules: async (orgId, platform, name, { strict, ignoreTestOrders, defaultCurrency }) => {
      if (!areIds(orgId)) return null;
      const row = await db
        .updateTable('connections')
        .set({
          // The update must set something in order to return a row.
          name,
          ...(strict === undefined ? {} : { strict }),
          ...(ignoreTestOrders === undefined ? {} : { ignore_test_orders: ignoreTestOrders }),
          ...(defaultCurrency === undefined ? {} : { default_currency: defaultCurrency }),
        })
        .where('org_id', '=', orgId)
        .where('platform', '=', platform)
        .where('name', '=', name)
        .returning(['strict', 'ignore_test_orders', 'default_currency'])
        .executeTakeFirst();
      return row ? toRules(row) : null;
    },
  };
}

/**
 * A row for each secret that is still valid, and for each connection without one. No row: there is no such
 * organisation.
 */
function fetchWithSecrets(db: Kysely<Schema>, orgId: string, platform: Platform, now: Date) {
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

type SecretChange = Parameters<Connections['addSecret']>[0];

/** Concurrent changes run one after the other: they lock the connection's row. It is inserted if it is missing. */
async function changeSecrets<Outcome>(
  db: Kysely<Schema>,
  change: SecretChange,
  apply: (trx: Transaction<Schema>, connectionId: string) => Promise<Outcome>,
): Promise<Outcome | 'unknown-organisation'> {
  if (!areIds(change.orgId)) return 'unknown-organisation';
  try {
    return await transact<Outcome>(db, async (trx) => {
      const { connectionId } = await insertConnection(trx, change);
      return apply(trx, connectionId);
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) return 'unknown-organisation';
    throw error;
  }
}

async function insertSecret(
  trx: Transaction<Schema>,
  secretBox: SecretBox,
  connectionId: string,
  { orgId, platform, secretId, secret, now }: SecretChange,
): Promise<void> {
  const sealed = secretBox.seal(secret, secretContext(orgId, connectionId));
  await trx
    .insertInto('connection_secrets')
    .values({
      org_id: orgId,
      id: secretId,
      connection_id: connectionId,
      sealed,
      is_short: isShortSecret(platform, secret),
      created_at: now,
    })
    .execute();
}

/** Each sealed copy of a secret is different, so the copies of the connection are opened to compare them. */
async function hasLasting(
  trx: Transaction<Schema>,
  secretBox: SecretBox,
  connectionId: string,
  { orgId, secret }: SecretChange,
): Promise<boolean> {
  const rows = await trx
    .selectFrom('connection_secrets')
    .select('sealed')
    .where('org_id', '=', orgId)
    .where('connection_id', '=', connectionId)
    .where('expires_at', 'is', null)
    .execute();
  return rows.some(({ sealed }) => secretBox.holds(sealed, secretContext(orgId, connectionId), secret));
}

interface RulesRow {
  readonly strict: boolean | null;
  readonly ignore_test_orders: boolean | null;
  readonly default_currency: string | null;
}

/** Null in a row without a connection. */
function toRules(row: RulesRow): ConnectionRules {
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
function unsealFormer(unseal: () => string): readonly string[] {
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
