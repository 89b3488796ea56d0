import type { EmailKind } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';

interface NewEmail {
  readonly kind: EmailKind;
  readonly orgId: string;
  readonly id: string;
  readonly at: Date;
}

/**
 * Inserts an e-mail that is due at `at`, with its job. An existing e-mail is sent again, and its former claim ends.
 */
export async function queueEmail(
  trx: Trx,
  queue: Pick<JobOutbox, 'enqueue'>,
  { kind, orgId, id, at }: NewEmail,
): Promise<void> {
  await sql`
    insert into outgoing_emails (org_id, id, kind, invitation_id, pending_since, next_try_at, created_at)
    values (${orgId}, ${id}, ${kind}, ${kind === 'invitation' ? id : null}, ${at}, ${at}, ${at})
    on conflict (org_id, id) do update
    set status = 'pending', attempts = 0, postponed = false, last_answer = null, last_answer_at = null, sent_at = null,
      pending_since = excluded.pending_since, next_try_at = excluded.next_try_at,
      created_at = excluded.created_at, claim_id = null, claimed_until = null
  `.execute(trx);
  await queue.enqueue(trx, [{ kind: 'send-email', emailKind: kind, orgId, emailId: id, startAfter: at }]);
}
