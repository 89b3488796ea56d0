import type { Alerts, ReceiptOutcome } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { claimAlertMail } from './claim-alert-mail.ts';
import { CLAIM_SECONDS, type Claim, createClaims } from './claim-renewal.ts';
import { insist } from './insist.ts';

export function createPostgresAlerts(db: Kysely<Schema>, jobs: JobOutbox): Alerts {
  const claims = createClaims((claim) => renewClaim(db, claim));
  return {
    claim: async (orgId, mailId, now) => {
      if (!areIds(orgId, mailId)) return { kind: 'settled' };
      const claimId = crypto.randomUUID();
      const claim = await claimAlertMail(db, jobs, { orgId, mailId, claimId, now });
      if (claim.kind === 'claimed') claims.keep({ of: [orgId, mailId], claimId });
      return claim;
    },

    settle: async (orgId, mailId, outcome) => {
      if (!areIds(orgId, mailId)) return;
      const claimId = claims.find([orgId, mailId]);
      try {
        await insist(() => settleAlertMail(db, jobs, { orgId, mailId, claimId, outcome }));
      } finally {
        claims.drop([orgId, mailId]);
      }
    },
  };
}

async function renewClaim(
  db: Kysely<Schema>,
  { of: [orgId = '', mailId = ''], claimId }: Claim,
): Promise<boolean> {
  const renewed = await db
    .updateTable('alert_mails')
    .set({ claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
    .where('org_id', '=', orgId)
    .where('id', '=', mailId)
    .where('claim_id', '=', claimId)
    .returning('id')
    .executeTakeFirst();
  return renewed !== undefined;
}

interface Settling {
  readonly orgId: string;
  readonly mailId: string;
  readonly claimId: string | null;
  readonly outcome: ReceiptOutcome;
}

async function settleAlertMail(db: Kysely<Schema>, jobs: JobOutbox, settling: Settling): Promise<void> {
  await runTransaction(db, async (trx) => {
    if (!(await endClaim(trx, settling))) return;
    const { orgId, mailId, outcome } = settling;
    if (outcome.kind === 'try-again' || outcome.kind === 'postponed') {
      await jobs.enqueue(trx, [{ kind: 'send-alerts', orgId, mailId, startAfter: outcome.nextTryAt }]);
    }
    if (outcome.kind === 'refused') {
      await trx
        .insertInto('activity')
        .values({
          org_id: orgId,
          id: mailId,
          at: outcome.at,
          kind: 'alert-given-up',
          subject_id: mailId,
          summary: outcome.reason,
          via: 'automatic',
        })
        .execute();
    }
  });
}

/** As with receipts: what was said for good holds, and a `try-again` of a claim that was lost says nothing. */
async function endClaim(
  trx: Transaction<Schema>,
  { orgId, mailId, claimId, outcome }: Settling,
): Promise<boolean> {
  const isOpen = outcome.kind === 'try-again' || outcome.kind === 'postponed';
  const settled = await trx
    .updateTable('alert_mails')
    .set({
      claim_id: null,
      claimed_until: null,
      last_answer: outcome.answer,
      ...(isOpen ? { next_try_at: outcome.nextTryAt } : { status: outcome.kind, settled_at: outcome.at }),
      // Its patience is counted from there. No other mail is closed before this one is settled.
      ...(outcome.kind === 'postponed' && { closed_at: outcome.nextTryAt }),
      ...(outcome.kind !== 'sent' && outcome.kind !== 'postponed' && { attempts: sql<number>`attempts + 1` }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', mailId)
    .where('status', '=', 'owed')
    .$if(isOpen && claimId !== null, (query) => query.where('claim_id', '=', claimId))
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}
