import type { NewSignIn, OpenSignIn, SignIns, StoredSession } from '@handover/domain';
import { MAX_OPEN_SIGN_INS, NO_ORGANISATION, normalizeEmail } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { queueEmail } from '../email/queue-email.ts';
import { enterSession, lockUser } from './session-bounds.ts';

export function createPostgresSignIns(db: Db, jobs: JobOutbox): SignIns {
  return {
    add: (signIn, notice) => addSignIn(db, jobs, signIn, notice),

    findOpen: async (signInId, now) => (areIds(signInId) ? findOpenSignIn(db, signInId, now) : null),

    find: async (signInId) => {
      if (!areIds(signInId)) return null;
      const row = await db
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .leftJoin('organisations', 'organisations.id', 'users.org_id')
        .select(['expires_at', 'redeemed_at', 'withdrawn', 'return_to', 'user_id', 'users.email', 'org_id'])
        .select('organisations.subscription_expires_at')
        .where('sign_ins.id', '=', signInId)
        .executeTakeFirst();
      if (!row) return null;
      const { user_id: id, email, org_id: orgId, subscription_expires_at: subscriptionExpiresAt } = row;
      return {
        user: { id, email, orgId, subscriptionExpiresAt },
        expiresAt: row.expires_at,
        returnTo: row.return_to,
        redeemed: row.redeemed_at !== null,
        withdrawn: row.withdrawn,
      };
    },

    redeem: (signInId, session, present) => redeem(db, signInId, session, present),
  };
}

function addSignIn(
  db: Db,
  jobs: JobOutbox,
  { id, email: address, createdAt, expiresAt, returnTo }: NewSignIn,
  notice: Parameters<SignIns['add']>[1],
) {
  return commitAndWake(db, jobs, async (trx, queue) => {
    const ofAddress = trx.selectFrom('users').where('email_normalized', '=', normalizeEmail(address));
    const user = await lockUser(trx, ofAddress.select('id'));
    if (!user) return 'unknown-user';
    const { numInsertedOrUpdatedRows: added } = await trx
      .insertInto('sign_ins')
      .values({
        id,
        user_id: user.id,
        created_at: createdAt,
        expires_at: expiresAt,
        return_to: returnTo,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (added === 0n) return 'added';
    await sql`
      update sign_ins set withdrawn = true where id in (
        select id from sign_ins where user_id = ${user.id} and redeemed_at is null and not withdrawn
        order by created_at desc, id desc offset ${MAX_OPEN_SIGN_INS}
      )
    `.execute(trx);
    const email = { kind: 'sign-in', orgId: NO_ORGANISATION, id, at: createdAt } as const;
    if (notice === 'mail') await queueEmail(trx, queue, email);
    return 'added';
  });
}

async function redeem(db: Db, signInId: string, session: StoredSession, present: string | null = null) {
  if (!areIds(signInId)) return 'too-late';
  return transact<'redeemed' | 'confirmed' | 'too-late'>(db, async (trx) => {
    const signIn = trx.selectFrom('sign_ins').where('id', '=', signInId);
    const user = await lockUser(trx, signIn.select('user_id as id'));
    const redeemed = await trx
      .updateTable('sign_ins')
      .set({ redeemed_at: session.createdAt })
      .where('id', '=', signInId)
      .where('redeemed_at', 'is', null)
      .where('withdrawn', '=', false)
      .where('expires_at', '>', session.createdAt)
      .returning('user_id')
      .executeTakeFirst();
    if (!user || !redeemed) return 'too-late';
    const entered = await enterSession(trx, user.id, session, present);
    return entered === 'confirmed' ? 'confirmed' : 'redeemed';
  });
}

export async function findOpenSignIn(db: Db, signInId: string, now: Date): Promise<OpenSignIn | null> {
  const row = await db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select(['sign_ins.created_at', 'email', 'name', 'org_id'])
    .where('sign_ins.id', '=', signInId)
    .where('redeemed_at', 'is', null)
    .where('withdrawn', '=', false)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return null;
  const { email, name, org_id: orgId, created_at: createdAt } = row;
  return { orgId, user: { email, name }, createdAt };
}
