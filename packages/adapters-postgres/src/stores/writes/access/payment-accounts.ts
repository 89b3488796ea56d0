import { type Destination, type PaymentAccounts, SHARED_PLATFORM } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isForeignKeyViolation } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { insertConnection } from './connections.ts';

type Outcome = Awaited<ReturnType<PaymentAccounts['map']>>;

export function createPostgresPaymentAccounts(db: Db): PaymentAccounts {
  return {
    map: async (mapping) => {
      if (!areIds(mapping.orgId)) return { kind: 'unknown-organisation' };
      try {
        return await mapAccount(db, mapping);
      } catch (error) {
        if (isForeignKeyViolation(error)) return { kind: 'unknown-organisation' };
        throw error;
      }
    },

    find: async (account) => {
      const row = await db
        .selectFrom('payment_accounts')
        .select(['org_id as orgId', 'connection_id as connectionId'])
        .where('account', '=', account)
        .executeTakeFirst();
      return row ?? null;
    },

    list: ({ after, limit }) =>
      db
        .selectFrom('payment_accounts as mapped')
        .innerJoin('organisations', 'organisations.id', 'mapped.org_id')
        .select(['mapped.account', 'mapped.org_id as orgId', 'organisations.name as organisation'])
        .$if(after !== null, (query) => query.where(sql<boolean>`mapped.account collate "C" > ${after}`))
        .orderBy(sql`mapped.account collate "C"`)
        .limit(limit)
        .execute(),

    unmap: async (account, orgId) => {
      if (!areIds(orgId)) return null;
      const row = await db
        .deleteFrom('payment_accounts')
        .where('account', '=', account)
        .$if(orgId !== undefined, (query) => query.where('org_id', '=', orgId ?? ''))
        .returning(['org_id as orgId', 'connection_id as connectionId'])
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

/** What the call adds is rolled back if the account is another organisation's. */
function mapAccount(
  db: Db,
  { account, orgId, connectionId, now }: Parameters<PaymentAccounts['map']>[0],
): Promise<Outcome> {
  return transact<Outcome>(db, async (trx, giveUp) => {
    const wanted = { orgId, platform: SHARED_PLATFORM, name: account, connectionId, now };
    const connection = await insertConnection(trx, wanted);
    const holder = await takeAccount(trx, account, connection, now);
    if (holder === null) return { kind: 'mapped' };
    return holder === connection.orgId ? { kind: 'already-yours' } : giveUp({ kind: 'taken', orgId: holder });
  });
}

/**
 * Null, or the organisation to which the account is mapped already. The account's key decides between two concurrent requests. If
 * the account was unmapped since, it is free again.
 */
async function takeAccount(
  trx: Trx,
  account: string,
  { orgId, connectionId }: Destination,
  now: Date,
): Promise<string | null> {
  const added = await trx
    .insertInto('payment_accounts')
    .values({ account, org_id: orgId, connection_id: connectionId, created_at: now })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .returning('account')
    .executeTakeFirst();
  if (added) return null;
  const holder = await trx
    .selectFrom('payment_accounts')
    .select('org_id')
    .where('account', '=', account)
    .executeTakeFirst();
  return holder ? holder.org_id : takeAccount(trx, account, { orgId, connectionId }, now);
}
