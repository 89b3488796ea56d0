import type { EmailClaim, EmailKind, EmailOutcome, OutgoingEmails, PendingReceipt } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { createTurns, doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';
import type { ClaimLeases } from './claim-leases.ts';
import { CLAIM_SECONDS, createClaims } from './claims.ts';
import { type Completion, completeEmail } from './complete-email.ts';
import { completeSent, type SentEmail } from './complete-sent.ts';
import { prepareEmail } from './prepare-email.ts';
import { prepareReceipts } from './prepare-receipts.ts';
import { COLLECTING } from './raise-alert.ts';

/** The number of organisations whose e-mails are claimed or completed at once. */
const MAX_AT_ONCE = 3;

/**
 * The number of refused e-mails that are completed at once. Each raises an alert, which waits for the mail that collects it: a
 * check of many alerts locks that for seconds, and everything else uses the same connections.
 */
const MAX_REFUSED_AT_ONCE = 3;

export function createPostgresOutgoingEmails(db: Db, jobs: JobOutbox, leases: ClaimLeases): OutgoingEmails {
  const claims = createClaims(db, leases);
  const ofOneOrganisation = {
    turns: createTurns(MAX_AT_ONCE),
    keyOf: ({ orgId }: { readonly orgId: string }) => orgId,
    subjectsOf: ({ emailId }: { readonly emailId: string }) => [emailId],
  };
  const take = doTogether<Claiming, TakenEmail>(db, {
    ...ofOneOrganisation,
    run: (claimings) => claimEmails(db, claimings),
  });
  const complete = doTogether<SentEmail, boolean>(db, {
    ...ofOneOrganisation,
    run: (emails) => completeSent(db, jobs, emails),
  });
  const refuse = doTogether<Completion, boolean>(db, {
    keyOf: ({ emailId }) => emailId,
    maxItems: 1,
    turns: createTurns(MAX_REFUSED_AT_ONCE),
    run: (refused) => Promise.all(refused.map((one) => completeEmail(db, jobs, one))),
  });
  return {
    claim: async (orgId, id, now, newLinkId) => {
      if (!areIds(orgId, id)) return { kind: 'not-pending' };
      const kept = claims.takeKept(orgId, id);
      if (kept) return { kind: 'claimed', ...kept };
      // In PostgreSQL's spelling, because it identifies the e-mails of a batch by id.
      const emailId = id.toLowerCase();
      return claims.take({ orgId, id }, async (claimId) => {
        const claiming = { orgId, emailId, claimId, now };
        const taken = await take(claiming);
        if (taken.kind !== 'taken') return taken;
        try {
          return await prepareEmail(db, jobs, taken.emailKind, { ...claiming, newLinkId });
        } catch (error) {
          // The first error is thrown, because it is the cause.
          await claims.release({ orgId, id, claimId }).catch(() => undefined);
          throw error;
        }
      });
    },

    complete: (orgId, id, claimId, outcome) => {
      const emailId = id.toLowerCase();
      return claims.end({ orgId, id, claimId }, () => {
        const claim = { orgId, emailId, claimId };
        if (outcome.kind === 'sent') return complete(toSent(claim, outcome));
        const completion = { ...claim, outcome };
        return outcome.kind === 'refused' ? refuse(completion) : completeEmail(db, jobs, completion);
      });
    },

    release: (orgId, emailId, claimId) => claims.release({ orgId, id: emailId, claimId }),
  };
}

function toSent(
  claim: Pick<SentEmail, 'orgId' | 'emailId' | 'claimId'>,
  { at, answer, content }: Extract<EmailOutcome, { readonly kind: 'sent' }>,
): SentEmail {
  return { ...claim, at, answer, content: content ? JSON.stringify(content) : null };
}

export interface Claiming {
  readonly orgId: string;
  readonly emailId: string;
  readonly claimId: string;
  readonly now: Date;
}

/** `taken`: claimed, but the content must still be prepared. The content of receipts comes with the claim. */
export type TakenEmail =
  | Exclude<EmailClaim, { readonly kind: 'claimed' }>
  | { readonly kind: 'claimed'; readonly claimId: string; readonly email: PendingReceipt }
  | { readonly kind: 'taken'; readonly emailKind: Exclude<EmailKind, 'receipt'> };

/** All are of one organisation, and each is for another e-mail. The results are in the same order. */
export function claimEmails(db: Db, claimings: readonly Claiming[]): Promise<readonly TakenEmail[]> {
  const orgId = claimings[0]?.orgId ?? '';
  return runTransaction(db, async (trx) => {
    const asked = await takeEmails(trx, orgId, claimings);
    const taken = claimings.filter(({ emailId }) => isTakenReceipt(asked.get(emailId)));
    const receipts = taken.length > 0 ? await prepareReceipts(trx, orgId, taken) : new Map();
    return claimings.map(({ emailId, claimId, now }): TakenEmail => {
      const row = asked.get(emailId);
      if (!row?.taken) return explainRefusal(row, now);
      if (row.emailKind !== 'receipt') return { kind: 'taken', emailKind: row.emailKind };
      const email = receipts.get(emailId);
      if (!email) throw new Error('A receipt vanished while it was being claimed.');
      return { kind: 'claimed', claimId, email };
    });
  });
}

interface AskedEmail {
  readonly id: string;
  readonly emailKind: EmailKind;
  readonly status: string;
  readonly nextTryAt: Date;
  readonly claimedUntil: Date | null;
  readonly databaseNow: Date;
  readonly taken: boolean;
}

function isTakenReceipt(email: AskedEmail | undefined): boolean {
  return email?.taken === true && email.emailKind === 'receipt';
}

/**
 * Of many concurrent claims, each row admits one: it is locked first, and then checked. Rows are locked by id, as
 * everywhere. Whether a collecting alert mail is due is decided under the claim.
 */
async function takeEmails(
  trx: Trx,
  orgId: string,
  claimings: readonly Claiming[],
): Promise<ReadonlyMap<string, AskedEmail>> {
  const { rows } = await sql<AskedEmail>`
    with asked as (
      select
        email.id, email.kind, email.status, email.next_try_at, email.claimed_until, claiming.claim_id,
        email.status = 'pending'
          and (email.next_try_at <= claiming.now or email.subject = ${COLLECTING})
          and (email.claimed_until is null or email.claimed_until <= now()) as taken
      from ${unnestRows(claimings).as('claiming (email_id uuid, claim_id uuid, now timestamptz)')}
      join outgoing_emails email on email.org_id = ${orgId} and email.id = claiming.email_id
      order by email.id
      for no key update of email
    ),
    claimed as (
      update outgoing_emails
      set claim_id = asked.claim_id, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
      from asked
      where outgoing_emails.org_id = ${orgId} and outgoing_emails.id = asked.id and asked.taken
    )
    select
      id, kind as "emailKind", status, next_try_at as "nextTryAt", claimed_until as "claimedUntil",
      now() as "databaseNow", taken
    from asked
  `.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

function explainRefusal(
  email: AskedEmail | undefined,
  now: Date,
): Exclude<EmailClaim, { readonly kind: 'claimed' }> {
  if (email?.status !== 'pending') return { kind: 'not-pending' };
  const { nextTryAt: due, claimedUntil, databaseNow } = email;
  if (claimedUntil && claimedUntil > databaseNow) return { kind: 'not-now', at: claimedUntil };
  return { kind: 'not-now', at: due > now ? due : now };
}
