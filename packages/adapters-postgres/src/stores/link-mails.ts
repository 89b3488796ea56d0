import type { Job, LinkMails, NewLinkMail } from '@handover/domain';
import { foldEmail } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction, transact } from '../transact.ts';
import { claimLinkMail } from './claim-link-mail.ts';
import { CLAIM_SECONDS, type Claim, createClaims } from './claim-renewal.ts';
import { insertActivity, insertLinks } from './insert-bought.ts';
import { insist } from './insist.ts';

export function createPostgresLinkMails(db: Kysely<Schema>, jobs: JobOutbox): LinkMails {
  const claims = createClaims((claim) => renewClaim(db, claim));
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

    claim: async (mailId, now, newLinkId) => {
      if (!areIds(mailId)) return { kind: 'settled' };
      const claimId = crypto.randomUUID();
      const claim = await claimLinkMail(db, { mailId, claimId, now, newLinkId });
      if (claim.kind === 'claimed') claims.keep({ of: [mailId], claimId });
      return claim;
    },

    settle: async (mailId, outcome) => {
      if (!areIds(mailId)) return;
      const claimId = claims.find([mailId]);
      try {
        await insist(async () => {
          // What a mail server has said for good holds, whoever heard it.
          if (outcome.kind === 'done') await db.deleteFrom('link_mails').where('id', '=', mailId).execute();
          else await tryAgain(db, jobs, { mailId, claimId, ...outcome });
        });
      } finally {
        claims.drop([mailId]);
      }
    },
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

/** Of someone whose claim was lost it says nothing: whoever claimed the mail after him is at it. */
async function tryAgain(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  again: {
    readonly mailId: string;
    readonly claimId: string | null;
    readonly kind: 'try-again' | 'postponed';
    readonly nextTryAt: Date;
  },
): Promise<void> {
  const { mailId, claimId, kind, nextTryAt } = again;
  await runTransaction(db, async (trx) => {
    const released = await trx
      .updateTable('link_mails')
      .set({
        claim_id: null,
        claimed_until: null,
        next_try_at: nextTryAt,
        ...(kind === 'postponed' ? { owed_since: nextTryAt } : { attempts: sql<number>`attempts + 1` }),
      })
      .where('id', '=', mailId)
      .$if(claimId !== null, (query) => query.where('claim_id', '=', claimId))
      .executeTakeFirst();
    if (released.numUpdatedRows > 0n) await queueJob(trx, jobs, mailId, nextTryAt);
  });
}

async function renewClaim(db: Kysely<Schema>, { of, claimId }: Claim): Promise<boolean> {
  const [mailId = ''] = of;
  const renewed = await db
    .updateTable('link_mails')
    .set({ claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
    .where('id', '=', mailId)
    .where('claim_id', '=', claimId)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}
