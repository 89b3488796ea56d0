import type { InvitationMailClaim, InvitationMailOutcome, Job, Role } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { CLAIM_SECONDS } from './claim-renewal.ts';

interface Named {
  readonly orgId: string;
  readonly invitationId: string;
}

/** Changes an invitation and queues its mail, as one. False: there was nothing to change. */
export async function queueMail(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  { orgId, invitationId, startAfter }: Named & { readonly startAfter: Date },
  change: (trx: Transaction<Schema>) => Promise<object | undefined>,
): Promise<boolean> {
  const due: readonly Job[] = [{ kind: 'send-invitation', orgId, invitationId, startAfter }];
  const isChanged = await runTransaction(db, async (trx) => {
    if ((await change(trx)) === undefined) return false;
    await jobs.enqueue(trx, due);
    return true;
  });
  if (isChanged) jobs.wake(due);
  return isChanged;
}

interface OwedRow {
  readonly organisationName: string;
  readonly inviter: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly expiresAt: Date;
  readonly owedSince: Date;
  readonly attempts: number;
}

/** One conditional update: of many who try at once, the row lets one through. */
export async function claimInvitationMail(
  db: Kysely<Schema>,
  { orgId, invitationId, claimId, now }: Named & { readonly claimId: string; readonly now: Date },
): Promise<InvitationMailClaim> {
  const { rows } = await sql<OwedRow>`
    update invitations
    set claim_id = ${claimId}, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    from organisations organisation, users inviter
    where invitations.org_id = ${orgId} and invitations.id = ${invitationId}
      and accepted_at is null and expires_at > ${now} and mail_status = 'owed' and mail_due_at <= ${now}
      and (claimed_until is null or claimed_until <= now())
      and organisation.id = invitations.org_id and inviter.id = invitations.invited_by
    returning
      organisation.name as "organisationName", coalesce(inviter.name, inviter.email) as inviter,
      invitations.email, invitations.name, invitations.role, expires_at as "expiresAt",
      mail_owed_since as "owedSince", mail_attempts as attempts
  `.execute(db);
  const [row] = rows;
  if (row) {
    const { email, name, ...mail } = row;
    return { kind: 'claimed', claimId, mail: { orgId, ...mail, to: { email, name } } };
  }
  const owed = await db
    .selectFrom('invitations')
    .select(['mail_due_at', 'claimed_until', sql<boolean>`claimed_until > now()`.as('held')])
    .where('org_id', '=', orgId)
    .where('id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .where('mail_status', '=', 'owed')
    .executeTakeFirst();
  if (!owed) return { kind: 'settled' };
  if (owed.held && owed.claimed_until) return { kind: 'not-now', at: owed.claimed_until };
  // Neither held nor early any more: it was, a moment ago.
  return { kind: 'not-now', at: owed.mail_due_at > now ? owed.mail_due_at : now };
}

export async function settleInvitationMail(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  {
    orgId,
    invitationId,
    claimId,
    outcome,
  }: Named & { readonly claimId: string; readonly outcome: InvitationMailOutcome },
): Promise<boolean> {
  const ended = { claim_id: null, claimed_until: null };
  const settle = (trx: Kysely<Schema>) =>
    trx
      .updateTable('invitations')
      .set(
        outcome.kind === 'try-again' || outcome.kind === 'postponed'
          ? {
              ...ended,
              mail_answer: outcome.answer,
              mail_due_at: outcome.nextTryAt,
              ...(outcome.kind === 'postponed'
                ? { mail_owed_since: outcome.nextTryAt }
                : { mail_attempts: sql<number>`mail_attempts + 1` }),
            }
          : { ...ended, mail_answer: outcome.answer, mail_status: outcome.kind },
      )
      .where('org_id', '=', orgId)
      .where('id', '=', invitationId)
      .where('accepted_at', 'is', null)
      .where('mail_status', '=', 'owed')
      .where('claim_id', '=', claimId)
      .returning('id')
      .executeTakeFirst();
  if (outcome.kind === 'try-again' || outcome.kind === 'postponed') {
    return queueMail(db, jobs, { orgId, invitationId, startAfter: outcome.nextTryAt }, settle);
  }
  return (await settle(db)) !== undefined;
}
