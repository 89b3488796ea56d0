import type { Job, SignIns } from '@handover/domain';
import { foldEmail } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { transact } from '../transact.ts';

export function createPostgresSignIns(db: Kysely<Schema>, jobs: JobOutbox): SignIns {
  return {
    add: async ({ id, email, createdAt, expiresAt }, delivery) => {
      const job: Job = { kind: 'send-sign-in-link', signInId: id, startAfter: createdAt };
      const due = delivery === 'mail' ? [job] : [];
      const outcome = await transact<'added' | 'unknown-user'>(db, async (trx, giveUp) => {
        const added = await trx
          .insertInto('sign_ins')
          .columns(['id', 'user_id', 'created_at', 'expires_at'])
          .expression((insert) =>
            insert
              .selectFrom('users')
              .select([
                sql<string>`${id}::uuid`.as('id'),
                'users.id as user_id',
                sql<Date>`${createdAt}::timestamptz`.as('created_at'),
                sql<Date>`${expiresAt}::timestamptz`.as('expires_at'),
              ])
              .where('email_folded', '=', foldEmail(email)),
          )
          .returning('user_id')
          .executeTakeFirst();
        if (!added) return giveUp('unknown-user');
        // So that the table holds no more of a user than what was asked for lately.
        await trx
          .deleteFrom('sign_ins')
          .where('user_id', '=', added.user_id)
          .where('expires_at', '<', createdAt)
          .execute();
        await jobs.enqueue(trx, due);
        return 'added';
      });
      if (outcome === 'added') jobs.wake(due);
      return outcome;
    },

    findOpen: async (signInId, now) => {
      if (!areIds(signInId)) return null;
      const row = await db
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .select(['sign_ins.id', 'sign_ins.created_at', 'expires_at', 'email', 'name'])
        .where('sign_ins.id', '=', signInId)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return null;
      const user = { email: row.email, name: row.name };
      return { id: row.id, user, createdAt: row.created_at, expiresAt: row.expires_at };
    },

    redeem: async (signInId, { hash, createdAt, expiresAt }) => {
      if (!areIds(signInId)) return 'too-late';
      // One statement, whose update only one of many can make.
      const { rows } = await sql`
        with redeemed as (
          update sign_ins set redeemed_at = ${createdAt}
          where id = ${signInId} and redeemed_at is null and expires_at > ${createdAt}
          returning user_id
        ), over as (
          delete from user_sessions using redeemed
          where user_sessions.user_id = redeemed.user_id and user_sessions.expires_at <= ${createdAt}
        )
        insert into user_sessions (hash, user_id, created_at, expires_at)
        select ${hash}, user_id, ${createdAt}::timestamptz, ${expiresAt}::timestamptz from redeemed
        returning user_id
      `.execute(db);
      return rows.length > 0 ? 'redeemed' : 'too-late';
    },
  };
}
