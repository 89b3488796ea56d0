import type { Invitation, Invitations, Role } from '@handover/domain';
import { mayGiveRoles, normalizeEmail, ROLES } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { insertEmail } from '../email/insert-email.ts';

/** How long an invitation is kept after it ends, so that its link can say why. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

type Outcome = Awaited<ReturnType<Invitations['add']>>;

/**
 * The unique address decides between two at once. The inviter's row is locked, so that the role does not change
 * meanwhile.
 */
export async function addInvitation(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  { id, orgId, email, name, role, invitedBy, createdAt, expiresAt }: Invitation,
): Promise<Outcome> {
  const emailNormalized = normalizeEmail(email);
  const due = [
    { kind: 'send-email', emailKind: 'invitation', orgId, emailId: id, startAfter: createdAt },
  ] as const;
  const outcome = await transact<Outcome>(db, async (trx, giveUp) => {
    const inviter = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', invitedBy)
      .where('org_id', '=', orgId)
      .where('role', '=', sql<Role>`any(${ROLES.filter((own) => mayGiveRoles(own, [role]))}::text[])`)
      .forShare()
      .executeTakeFirst();
    if (!inviter) return 'not-allowed';
    await trx
      .deleteFrom('invitations')
      .where('org_id', '=', orgId)
      .where(({ and, or, eb }) =>
        or([
          eb('expires_at', '<', new Date(createdAt.getTime() - KEPT_MS)),
          and([
            eb('email_normalized', '=', emailNormalized),
            eb('accepted_at', 'is', null),
            eb('expires_at', '<=', createdAt),
          ]),
        ]),
      )
      .execute();
    const added = await trx
      .insertInto('invitations')
      .values({
        org_id: orgId,
        id,
        email,
        email_normalized: emailNormalized,
        name,
        role,
        invited_by: invitedBy,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'email_normalized']).where('accepted_at', 'is', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (!added) return giveUp('already-invited');
    // Checked last: by now a concurrent acceptance of an invitation for this address has committed and made its user
    // a member.
    const member = await trx
      .selectFrom('users')
      .select('id')
      .where('org_id', '=', orgId)
      .where('email_normalized', '=', emailNormalized)
      .executeTakeFirst();
    if (member) giveUp('already-member');
    await insertEmail(trx, 'invitation', { orgId, id, at: createdAt });
    await jobs.enqueue(trx, due);
    return 'added';
  });
  if (outcome === 'added') jobs.wake(due);
  return outcome;
}
