import type { SharedSecret, SharedSecrets } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { SHARED_SECRET_CONTEXT } from '../../../secrets/sealed-secrets.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { unsealFormer } from '../../reads/access/connections.ts';

export function createPostgresSharedSecrets(db: Db, secretBox: SecretBox): SharedSecrets {
  return {
    list: async (now) => {
      const rows = await db
        .selectFrom('shared_secrets')
        .select(['sealed', 'created_at', 'expires_at'])
        .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.flatMap(({ sealed, created_at: setAt, expires_at: expiresAt }): SharedSecret[] => {
        const unseal = () => secretBox.unseal(sealed, SHARED_SECRET_CONTEXT);
        const secrets = expiresAt === null ? [unseal()] : unsealFormer(unseal);
        return secrets.map((secret) => ({ secret, setAt, expiresAt }));
      });
    },

    replace: ({ id, secret, now, formerUntil }) =>
      transact(db, async (trx) => {
        // Changes run one after the other, so that one secret lasts. Readers do not wait.
        await sql`lock table shared_secrets in share row exclusive mode`.execute(trx);
        const lasting = await trx
          .selectFrom('shared_secrets')
          .select('sealed')
          .where('expires_at', 'is', null)
          .execute();
        if (lasting.some(({ sealed }) => holds(secretBox, sealed, secret))) return 'known';
        await trx.deleteFrom('shared_secrets').where('expires_at', '<=', now).execute();
        await trx
          .updateTable('shared_secrets')
          .set({ expires_at: sql<Date>`least(expires_at, ${formerUntil})` })
          .execute();
        const sealed = secretBox.seal(secret, SHARED_SECRET_CONTEXT);
        await trx.insertInto('shared_secrets').values({ id, sealed, created_at: now }).execute();
        return lasting.length > 0 ? 'replaced' : 'set';
      }),
  };
}

/** A secret that cannot be opened any more is replaced by the one that is entered. */
function holds(secretBox: SecretBox, sealed: string, secret: string): boolean {
  try {
    return secretBox.holds(sealed, SHARED_SECRET_CONTEXT, secret);
  } catch {
    return false;
  }
}
