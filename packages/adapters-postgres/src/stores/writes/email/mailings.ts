import { type Mailings, mailReceipt, type NewMailing } from '@handover/domain';
import type { Db, Trx } from '../../../database/schema.ts';
import { isLostRace } from '../../../database/store-errors.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { readMailings } from '../../reads/email/mailings.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { renewMailings } from './renew-mailing.ts';

export function createPostgresMailings(db: Db, jobs: JobOutbox): Mailings {
  return {
    ...readMailings(db),

    retryNow: (orgId, receiptId, entry) =>
      commitAndWake<'queued' | 'due' | 'changed-meanwhile'>(db, jobs, async (trx, queue, giveUp) => {
        if (!(await makeDue(trx, orgId, receiptId, entry.at))) {
          giveUp((await isPending(trx, orgId, receiptId)) ? 'due' : 'changed-meanwhile');
        }
        await insertActivity(trx, orgId, [entry]);
        await queue.enqueue(trx, [mailReceipt(orgId, receiptId, entry.at)]);
        return 'queued';
      }),

    renew: (mailings) => renew(db, jobs, mailings),
  };
}

async function renew(
  db: Db,
  jobs: JobOutbox,
  mailings: readonly NewMailing[],
): Promise<'queued' | 'changed-meanwhile'> {
  try {
    return await commitAndWake<'queued' | 'changed-meanwhile'>(db, jobs, async (trx, queue, giveUp) => {
      await renewMailings(trx, queue, mailings, () => giveUp('changed-meanwhile'));
      return 'queued';
    });
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
