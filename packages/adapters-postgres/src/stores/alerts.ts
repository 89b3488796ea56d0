import type { Alerts, ReceiptOutcome } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ClaimLeases } from '../claim-leases.ts';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { claimAlertMail } from './claim-alert-mail.ts';
import { createClaims } from './claim-renewal.ts';

export function createPostgresAlerts(db: Kysely<Schema>, jobs: JobOutbox, leases: ClaimLeases): Alerts {
  const claims = createClaims(db, 'alert_mails', leases);
  return {
    claim: async (orgId, mailId, now) =>
      areIds(orgId, mailId)
        ? claims.take({ orgId, id: mailId }, (claimId) =>
            claimAlertMail(db, jobs, { orgId, mailId, claimId, now }),
          )
        : { kind: 'settled' },

    settle: (orgId, mailId, claimId, outcome) =>
      claims.end({ orgId, id: mailId, claimId }, () =>
        settleAlertMail(db, jobs, { orgId, mailId, claimId, outcome }),
      ),

    release: (orgId, mailId, claimId) => claims.release({ orgId, id: mailId, claimId }),
  };
}

interface Settling {
  readonly orgId: string;
  readonly mailId: string;
  readonly claimId: string;
  readonly outcome: ReceiptOutcome;
}

async function settleAlertMail(db: Kysely<Schema>, jobs: JobOutbox, settling: Settling): Promise<boolean> {
  return runTransaction(db, async (trx) => {
    if (!(await endClaim(trx, settling))) return false;
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
    return true;
  });
}

/** As with receipts: what is said under a claim that was lost says nothing. */
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
    .where('claim_id', '=', claimId)
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}
