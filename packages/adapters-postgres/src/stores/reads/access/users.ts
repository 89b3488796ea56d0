import type { KeyHolder, Role, Users } from '@handover/domain';
import { DEFAULT_KEY_NAME, normalizeEmail } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';

export function readUsers(db: Db): Pick<Users, 'findByKeyHash' | 'find' | 'findKey'> {
  return {
    findByKeyHash: doTogether<string, KeyHolder | null>(db, {
      // Keys belong to users, which are not sharded by organisation.
      keyOf: () => 'all',
      run: (hashes) => findCallers(db, hashes),
    }),

    find: async (by) => {
      if ('id' in by && !areIds(by.id)) return null;
      const row = await db
        .selectFrom('users')
        .select(['id', 'email', 'name', 'org_id', 'role', 'created_at'])
        .where((user) =>
          'id' in by ? user('id', '=', by.id) : user('email_normalized', '=', normalizeEmail(by.email)),
        )
        .executeTakeFirst();
      if (!row) return null;
      const { id, email, name, org_id: orgId, role, created_at: createdAt } = row;
      const membership = orgId === null || role === null ? null : { orgId, role };
      return { id, email, name, membership, createdAt };
    },

    findKey: async (userId) => {
      if (!areIds(userId)) return null;
      const key = await db
        .selectFrom('api_keys')
        .select(['hash', 'sealed'])
        .where('user_id', '=', userId)
        .where('name', '=', DEFAULT_KEY_NAME)
        .executeTakeFirst();
      return key ?? null;
    },
  };
}

/** In the order of the hashes. Concurrent requests share one statement. */
async function findCallers(db: Db, hashes: readonly string[]): Promise<readonly (KeyHolder | null)[]> {
  const { rows } = await sql<FoundCaller>`
    select
      key.hash, key.name, key.scopes, key.expires_at as "expiresAt", key.last_used_at as "lastUsedAt",
      person.id as "userId", person.email, person.org_id as "orgId", person.role,
      organisation.subscription_expires_at as "subscriptionExpiresAt"
    from api_keys key
    join users person on person.id = key.user_id
    left join organisations organisation on organisation.id = person.org_id
    where key.hash = any(${hashes}::text[])
  `.execute(db);
  const found = new Map(rows.map((row) => [row.hash, toCaller(row)]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

type FoundCaller = Pick<KeyHolder, 'userId' | 'email'> &
  KeyHolder['key'] & {
    readonly orgId: string | null;
    readonly role: Role | null;
    readonly subscriptionExpiresAt: Date | null;
  };

function toCaller(row: FoundCaller): KeyHolder {
  const { userId, email, orgId, role, subscriptionExpiresAt } = row;
  const membership = orgId === null || role === null ? null : { orgId, role, subscriptionExpiresAt };
  const { hash, name, scopes, expiresAt, lastUsedAt } = row;
  return { userId, email, membership, key: { hash, name, scopes, expiresAt, lastUsedAt } };
}
