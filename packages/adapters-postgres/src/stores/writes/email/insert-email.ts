import type { EmailKind } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';

/** Inserts an e-mail that is due at `at`. An existing one is sent again, and its former claim ends. */
export async function insertEmail(
  trx: Trx,
  kind: EmailKind,
  { orgId, id, at }: { readonly orgId: string; readonly id: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into outgoing_emails (org_id, id, kind, invitation_id, pending_since, next_try_at, created_at)
    values (${orgId}, ${id}, ${kind}, ${kind === 'invitation' ? id : null}, ${at}, ${at}, ${at})
    on conflict (org_id, id) do update
    set status = 'pending', attempts = 0, postponed = false, last_answer = null, last_answer_at = null, sent_at = null,
      pending_since = excluded.pending_since, next_try_at = excluded.next_try_at,
      created_at = excluded.created_at, claim_id = null, claimed_until = null
  `.execute(trx);
}
