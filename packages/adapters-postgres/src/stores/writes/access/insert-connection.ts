import type { Connections, Destination } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** Inserts the connection, or finds the one with its name, and locks its row until the transaction ends. */
export async function insertConnection(
  db: Kysely<Schema>,
  { orgId, connectionId, platform, name, now }: Parameters<Connections['findOrAdd']>[0],
): Promise<Destination> {
  const row = await db
    .insertInto('connections')
    .values({ org_id: orgId, id: connectionId, platform, name, created_at: now })
    .onConflict((conflict) => conflict.columns(['org_id', 'platform', 'name']).doUpdateSet({ name }))
    .returning(['org_id', 'id'])
    .executeTakeFirstOrThrow();
  return { orgId: row.org_id, connectionId: row.id };
}
