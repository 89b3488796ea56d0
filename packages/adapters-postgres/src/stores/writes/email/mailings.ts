import type { Mailings, NewMailing } from '@handover/domain';
import type { Db, Trx } from '../../../database/schema.ts';
import { isLostRace } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { readMailings } from '../../reads/email/mailings.ts';
import { insertActivity } from '../fulfilment/insert-bought.ts';
import { renewMailings } from './renew-mailing.ts';

export function createPostgresMailings(db: Db, jobs: JobOutbox): Mailings {
  return {
    ...readMailings(db),

    retryNow: async (orgId, receiptId, entry) => {
      const job = {
        kind: 'send-email',
        emailKind: 'receipt',
        orgId,
        emailId: receiptId,
        startAfter: entry.at,
      } as const;
      const outcome = await transact<'queued' | 'due' | 'changed-meanwhile'>(db, async (trx, giveUp) => {
        if (!(await makeDue(trx, orgId, receiptId, entry.at))) {
          giveUp((await isPending(trx, orgId, receiptId)) ? 'due' : 'changed-meanwhile');
        }
        await insertActivity(trx, orgId, [entry]);
        await jobs.enqueue(trx, [job]);
        return 'queued';
      });
      if (outcome === 'queued') jobs.wake([job]);
      return outcome;
    },

    renew: (mailing) => renewAll(db, jobs, [mailing]),

    renewAll: (mailings) => renewAll(db, jobs, mailings),
  };
}

async function renewAll(
  db: Db,
  jobs: JobOutbox,
  mailings: readonly NewMailing[],
): Promise<'queued' | 'changed-meanwhile'> {
  try {
    const outcome = await transact<'queued' | 'changed-meanwhile'>(db, async (trx, giveUp) => {
      await renewMailings(trx, jobs, mailings, () => giveUp('changed-meanwhile'));
      return 'queued';
    });
    if (outcome === 'queued') jobs.wake(mailings.flatMap((mailing) => mailing.jobs));
    return outcome;
  } catch (error) {
    if (isLostRace(error)) return 'changed-meanwhile';
    throw error;
  }
}

/** One conditional update: of many concurrent requests, the row admits one. */
async function makeDue(trx: Trx, orgId: string, receiptId: string, at: Date) {
  const row = await trx
    .updateTable('outgoing_emails')
    .set({ attempts: 0, pending_since: at, next_try_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('status', '=', 'pending')
    .where('next_try_at', '>', at)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

async function isPending(trx: Trx, orgId: string, receiptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('outgoing_emails')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}
