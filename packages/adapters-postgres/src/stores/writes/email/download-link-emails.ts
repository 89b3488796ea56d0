import type { DownloadLinkEmails, Language, NewDownloadLinkEmail } from '@handover/domain';
import { NO_ORGANISATION, normalizeEmail } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { readRow } from '../../../statements/rows.ts';
import { insertActivity } from '../audit/insert-activity.ts';
import { insertLinks } from '../fulfilment/insert-bought.ts';
import type { EmailDetails } from './prepare-email.ts';

export function createPostgresDownloadLinkEmails(db: Db, jobs: JobOutbox): DownloadLinkEmails {
  return {
    requestOne: (request) =>
      commitAndWake<'queued' | 'revoked'>(db, jobs, async (trx, queue, giveUp) => {
        const { orgId, link, at } = request;
        const details = { links: [{ orgId, linkId: link.id }], leftOut: false };
        const { mailId, isNew } = await addMail(trx, { ...request, subject: link.purchaseId, details });
        if (!(await holdPurchase(trx, request)) || (await isRevoked(trx, request))) giveUp('revoked');
        if (isNew) await addLink(trx, request);
        await queueJob(trx, queue, { orgId, mailId, at });
        return 'queued';
      }),

    requestAll: ({ mailId, email, language = null, at }) =>
      commitAndWake<void>(db, jobs, async (trx, queue) => {
        const orgId = NO_ORGANISATION;
        const added = await addMail(trx, {
          orgId,
          mailId,
          language,
          subject: normalizeEmail(email),
          details: null,
          at,
        });
        await queueJob(trx, queue, { orgId, mailId: added.mailId, at });
      }),
  };
}

interface Wanted {
  readonly orgId: string;
  readonly mailId: string;
  readonly language?: Language | null | undefined;
  /** A purchase, or a normalized address. */
  readonly subject: string;
  readonly details: EmailDetails | null;
  readonly at: Date;
}

/**
 * A pending e-mail becomes due at once, as if no try had failed. The mail's row is locked first, as in its claim, to
 * avoid deadlocks.
 */
async function addMail(
  trx: Trx,
  { orgId, mailId, language = null, subject, details, at }: Wanted,
): Promise<{ readonly mailId: string; readonly isNew: boolean }> {
  const row = await readRow(
    trx,
    sql<{ readonly id: string }>`
    insert into outgoing_emails (
      org_id, id, kind, language, subject, details, pending_since, next_try_at, created_at
    )
    values (
      ${orgId}, ${mailId}, 'links', ${language}, ${subject}, ${details && JSON.stringify(details)}, ${at}, ${at}, ${at}
    )
    on conflict (org_id, kind, subject) where subject is not null do update
    set language = excluded.language, pending_since = excluded.pending_since, next_try_at = excluded.next_try_at, attempts = 0
    returning id
  `,
  );
  return { mailId: row.id, isNew: row.id === mailId.toLowerCase() };
}

/** Locks the purchase before a link of it, as everywhere, to avoid deadlocks. Returns false if it was deleted. */
async function holdPurchase(trx: Trx, { orgId, link }: NewDownloadLinkEmail): Promise<boolean> {
  const purchase = await trx
    .selectFrom('purchases')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', link.purchaseId)
    .forKeyShare()
    .executeTakeFirst();
  return purchase !== undefined;
}

/** Locked until the commit, so that a link cannot be revoked while its successor is created. */
async function isRevoked(trx: Trx, { orgId, link }: NewDownloadLinkEmail): Promise<boolean> {
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

async function addLink(trx: Trx, { orgId, link, activity }: NewDownloadLinkEmail): Promise<void> {
  await insertLinks(trx, orgId, [link]);
  await insertActivity(trx, orgId, [activity]);
}

async function queueJob(
  trx: Trx,
  queue: Pick<JobOutbox, 'enqueue'>,
  { orgId, mailId, at }: Pick<Wanted, 'orgId' | 'mailId' | 'at'>,
): Promise<void> {
  await queue.enqueue(trx, [
    { kind: 'send-email', emailKind: 'links', orgId, emailId: mailId, startAfter: at },
  ]);
}
