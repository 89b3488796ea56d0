import type { PostponedMail, WaitingReceipts } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { delaySending } from '../../../jobs/delay-sending.ts';
import { explainDeliveries } from './complete-email.ts';
import { lockWaitingDeliveries } from './complete-sent.ts';

export function createPostgresWaitingReceipts(db: Db): WaitingReceipts {
  return {
    postpone: (orgId, now, postponed, max) =>
      runTransaction(db, async (trx) => {
        const ids = await postponeReceipts(trx, orgId, now, postponed, max);
        if (ids.length === 0) return 0;
        const waiting = await lockWaitingDeliveries(trx, orgId, ids, ['pending']);
        const { answer: reason, until } = postponed;
        if (waiting.length > 0) await explainDeliveries(trx, orgId, { kind: 'postponed', reason }, waiting);
        await delaySending(trx, orgId, ids, until);
        return ids.length;
      }),
  };
}

/** Skips locked rows: another process is claiming or postponing them. */
async function postponeReceipts(
  trx: Trx,
  orgId: string,
  now: Date,
  { until }: PostponedMail,
  max: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with due as materialized (
      select id from outgoing_emails
      where org_id = ${orgId} and kind = 'receipt' and postponed and status = 'pending' and next_try_at <= ${now}
        and (claimed_until is null or claimed_until <= now())
      order by next_try_at
      limit ${max}
      for no key update skip locked
    )
    update outgoing_emails set next_try_at = ${until}, pending_since = ${until}
    where org_id = ${orgId} and id = any(array(select id from due))
    returning id
  `.execute(trx);
  return rows.map(({ id }) => id);
}
