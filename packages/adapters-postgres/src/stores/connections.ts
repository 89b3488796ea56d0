import type { Connection, Connections } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';
import type { SecretBox } from '../secret-box.ts';
import { isForeignKeyViolation } from '../store-errors.ts';
import { transact } from '../transact.ts';
import { insertConnection } from './insert-connection.ts';

export function createPostgresConnections(db: Kysely<Schema>, secretBox: SecretBox): Connections {
  return {
    list: async (orgId, platform, now) => {
      if (!areIds(orgId)) return null;
      const rows = await db
        .selectFrom('organisations')
        .leftJoin('connections', (join) =>
          join.onRef('connections.org_id', '=', 'organisations.id').on('connections.platform', '=', platform),
        )
        .leftJoin('connection_secrets', (join) =>
          join
            .onRef('connection_secrets.org_id', '=', 'connections.org_id')
            .onRef('connection_secrets.connection_id', '=', 'connections.id')
            .on((on) => on.or([on('expires_at', 'is', null), on('expires_at', '>', now)])),
        )
        .select(['connections.id', 'connections.name', 'connection_secrets.sealed', 'expires_at'])
        .where('organisations.id', '=', orgId)
        .orderBy('connections.name')
        .orderBy('connection_secrets.created_at', 'desc')
        .orderBy('connection_secrets.id', 'desc')
        .execute();
      return rows.length === 0 ? null : groupSecrets(rows, (id) => secretContext(orgId, id), secretBox);
    },

    replaceSecret: async (change) => {
      if (!areIds(change.orgId)) return 'unknown-organisation';
      try {
        return await transact<'created' | 'replaced'>(db, async (trx) => {
          // Of two changes at once, one comes after the other: the connection's row is held.
          const { connectionId } = await insertConnection(trx, change);
          await trx
            .updateTable('connection_secrets')
            .set({ expires_at: sql<Date>`least(expires_at, ${change.formerUntil})` })
            .where('org_id', '=', change.orgId)
            .where('connection_id', '=', connectionId)
            .execute();
          await trx
            .insertInto('connection_secrets')
            .values({
              org_id: change.orgId,
              id: change.secretId,
              connection_id: connectionId,
              sealed: secretBox.seal(change.secret, secretContext(change.orgId, connectionId)),
              created_at: change.now,
            })
            .execute();
          return connectionId === change.connectionId ? 'created' : 'replaced';
        });
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'unknown-organisation';
        throw error;
      }
    },

    findOrAdd: async (wanted) => {
      if (!areIds(wanted.orgId)) return null;
      const found = await db
        .selectFrom('organisations')
        .leftJoin('connections', (join) =>
          join
            .onRef('connections.org_id', '=', 'organisations.id')
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
  };
}

function groupSecrets(
  rows: readonly {
    readonly id: string | null;
    readonly name: string | null;
    readonly sealed: string | null;
    readonly expires_at: Date | null;
  }[],
  contextFor: (connectionId: string) => string,
  secretBox: SecretBox,
): readonly Connection[] {
  const found = new Map<string, { id: string; name: string; secrets: string[] }>();
  for (const { id, name, sealed, expires_at: expiresAt } of rows) {
    if (id === null || name === null) continue;
    const connection = found.get(id) ?? { id, name, secrets: [] };
    found.set(id, connection);
    if (sealed === null) continue;
    const unseal = () => secretBox.unseal(sealed, contextFor(id));
    connection.secrets.push(...(expiresAt === null ? [unseal()] : unsealFormer(unseal)));
  }
  return [...found.values()];
}

/**
 * The key that sealed a former secret may have been dropped before its time was up. It is left out: what it
 * signed is refused, but the current secret goes on working.
 */
function unsealFormer(unseal: () => string): readonly string[] {
  try {
    return [unseal()];
  } catch {
    return [];
  }
}

/** What a secret is bound to. */
export function secretContext(orgId: string, connectionId: string): string {
  return `connection ${orgId.toLowerCase()}/${connectionId.toLowerCase()}`;
}
