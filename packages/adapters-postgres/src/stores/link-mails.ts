import type { Job, LinkMails, NewLinkMail } from '@handover/domain';
import { foldEmail } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ClaimLeases } from '../claim-leases.ts';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction, transact } from '../transact.ts';
import { claimLinkMail } from './claim-link-mail.ts';
import { createClaims } from './claim-renewal.ts';
import { insertActivity, insertLinks } from './insert-bought.ts';

export function createPostgresLinkMails(db: Kysely<Schema>, jobs: JobOutbox, leases: ClaimLeases): LinkMails {
  const claims = createClaims(db, 'link_mails', leases);
  return {
    requestOne: async (request) => {
      const job = await transact<Job | null>(db, async (trx, giveUp) => {
        const { mailId, isNew } = await oweOne(trx, request);
        if (await isRevoked(trx, request)) giveUp(null);
        if (isNew) await addLink(trx, request);
        return queueJob(trx, jobs, mailId, request.at);
      });
      if (!job) return 'revoked';
      jobs.wake([job]);
      return 'queued';
    },

    requestAll: async ({ mailId, email, at }) => {
      const job = await runTransaction(db, async (trx) => {
        const owed = await oweAll(trx, { mailId, emailFolded: foldEmail(email), at });
        return queueJob(trx, jobs, owed, at);
      });
      jobs.wake([job]);
    },

    claim: async (mailId, now, newLinkId) =>
      areIds(mailId)
        ? claims.take({ orgId: null, id: mailId }, (claimId) =>
            claimLinkMail(db, { mailId, claimId, now, newLinkId }),
          )
        : { kind: 'settled' },

    settle: (mailId, claimId, outcome) =>
      claims.end({ orgId: null, id: mailId, claimId }, async () =>
        outcome.kind === 'done'
          ? endMail(db, mailId, claimId)
          : tryAgain(db, jobs, { mailId, claimId, ...outcome }),
      ),

    release: (mailId, claimId) => claims.release({ orgId: null, id: mailId, claimId }),
  };
}

/** The mail's row comes first, here as in its claim, so that the two cannot wait for each other. */
async function oweOne(
  trx: Transaction<Schema>,
  { mailId, orgId, link, at }: NewLinkMail,
): Promise<{ readonly mailId: string; readonly isNew: boolean }> {
  const row = await trx
    .insertInto('link_mails')
    .values({
      id: mailId,
      org_id: orgId,
      purchase_id: link.purchaseId,
      owed_since: at,
      next_try_at: at,
      links_made: true,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'purchase_id']).doUpdateSet(afresh(at)))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { mailId: row.id, isNew: row.id === mailId };
}

async function oweAll(
  trx: Transaction<Schema>,
  { mailId, emailFolded, at }: { readonly mailId: string; readonly emailFolded: string; readonly at: Date },
): Promise<string> {
  const row = await trx
    .insertInto('link_mails')
    .values({ id: mailId, email_folded: emailFolded, owed_since: at, next_try_at: at, links_made: false })
    .onConflict((conflict) => conflict.column('email_folded').doUpdateSet(afresh(at)))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Due at once, as if no try had failed. */
function afresh(at: Date) {
  return { owed_since: at, next_try_at: at, attempts: 0 };
}

/** Held until the commit, so that a link cannot be revoked while its successor is made. */
async function isRevoked(trx: Transaction<Schema>, { orgId, link }: NewLinkMail): Promise<boolean> {
  const newest = await trx
    .selectFrom('download_links')
    .select('revoked_at')
    .where('org_id', '=', orgId)
    .where('purchase_id', '=', link.purchaseId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return newest !== undefined && newest.revoked_at !== null;
}

async function addLink(
  trx: Transaction<Schema>,
  { mailId, orgId, link, activity }: NewLinkMail,
): Promise<void> {
  await insertLinks(trx, { orgId, links: [link] });
  await trx
    .insertInto('link_mail_links')
    .values({ mail_id: mailId, org_id: orgId, link_id: link.id })
    .execute();
  await insertActivity(trx, { orgId, activity: [activity] });
}

async function queueJob(trx: Transaction<Schema>, jobs: JobOutbox, mailId: string, startAfter: Date) {
  const job = { kind: 'send-link-mail', mailId, startAfter } as const;
  await jobs.enqueue(trx, [job]);
  return job;
}

/** The mail server has said yes, or no for good. */
async function endMail(db: Kysely<Schema>, mailId: string, claimId: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('link_mails')
    .where('id', '=', mailId)
    .where('claim_id', '=', claimId)
    .executeTakeFirst();
  return ended.numDeletedRows > 0n;
}

async function tryAgain(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  again: {
    readonly mailId: string;
    readonly claimId: string;
    readonly kind: 'try-again' | 'postponed';
    readonly nextTryAt: Date;
  },
): Promise<boolean> {
  const { mailId, claimId, kind, nextTryAt } = again;
  return runTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('link_mails')
      .set({
        claim_id: null,
        claimed_until: null,
        next_try_at: nextTryAt,
        ...(kind === 'postponed' ? { owed_since: nextTryAt } : { attempts: sql<number>`attempts + 1` }),
      })
      .where('id', '=', mailId)
      .where('claim_id', '=', claimId)
      .executeTakeFirst();
    if (ended.numUpdatedRows === 0n) return false;
    await queueJob(trx, jobs, mailId, nextTryAt);
    return true;
  });
}
