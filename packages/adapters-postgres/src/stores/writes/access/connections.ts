import type {
  ConnectionRules,
  Connections,
  Destination,
  Platform,
  SecretChange,
  WantedConnection,
} from '@handover/domain';
import { isShortSecret } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isForeignKeyViolation } from '../../../database/store-errors.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { areIds } from '../../../statements/ids.ts';
import { readConnections, secretContext, toRules } from '../../reads/access/connections.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';

export function createPostgresConnections(db: Db, secretBox: SecretBox): Connections {
  return {
    ...readConnections(db, secretBox),

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

    setRules: async (orgId, platform, name, change) =>
      areIds(orgId)
        ? runTransaction(db, async (trx) => {
            const set = await setRules(trx, { orgId, platform, name }, change);
            // Without this, a plan that was decided before could still be committed. The connection is locked before the
            // catalogue: nothing that locks the catalogue locks a connection after it.
            if (set?.isChanged) await moveRevision(trx, orgId);
            return set;
          })
        : null,
  };
}

/** Of two equal concurrent changes, the second waits for the first, and then its condition finds nothing to change. */
async function setRules(
  db: Db,
  { orgId, platform, name }: { readonly orgId: string; readonly platform: Platform; readonly name: string },
  { strict, ignoreTestOrders, defaultCurrency }: Partial<ConnectionRules>,
): ReturnType<Connections['setRules']> {
  const values = {
    ...(strict === undefined ? {} : { strict }),
    ...(ignoreTestOrders === undefined ? {} : { ignore_test_orders: ignoreTestOrders }),
    ...(defaultCurrency === undefined ? {} : { default_currency: defaultCurrency }),
  };
  const columns = Object.keys(values) as (keyof typeof values)[];
  const changed =
    columns.length > 0 &&
    (await db
      .updateTable('connections')
      .set(values)
      .where('org_id', '=', orgId)
      .where('platform', '=', platform)
      .where('name', '=', name)
      .where(({ eb, or }) =>
        or(columns.map((column) => eb(column, 'is distinct from', values[column] as never))),
      )
      .returning(RULES)
      .executeTakeFirst());
  if (changed) return { rules: toRules(changed), isChanged: true };
  const found = await db
    .selectFrom('connections')
    .select(RULES)
    .where('org_id', '=', orgId)
    .where('platform', '=', platform)
    .where('name', '=', name)
    .executeTakeFirst();
  return found ? { rules: toRules(found), isChanged: false } : null;
}

const RULES = ['strict', 'ignore_test_orders', 'default_currency'] as const;

/** Locks the connection's row, so that concurrent changes run one after the other. Inserts the connection if it is missing. */
async function changeSecrets<Outcome>(
  db: Db,
  change: SecretChange,
  apply: (trx: Trx, connectionId: string) => Promise<Outcome>,
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
  trx: Trx,
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

/** Sealing the same secret twice gives different texts, so the secrets of the connection are opened to compare them. */
async function hasLasting(
  trx: Trx,
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

/**
 * Inserts the connection, or finds the one with its name, and locks its row until the transaction ends. Purchases and deliveries
 * refer to it meanwhile: a new value of a column of a key would let them wait, even the same value.
 */
export async function insertConnection(
  db: Db,
  { orgId, connectionId, platform, name, now }: WantedConnection,
): Promise<Destination> {
  return db
    .insertInto('connections')
    .values({ org_id: orgId, id: connectionId, platform, name, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'platform', 'name'])
        .doUpdateSet((row) => ({ created_at: row.ref('connections.created_at') })),
    )
    .returning(['org_id as orgId', 'id as connectionId'])
    .executeTakeFirstOrThrow();
}
