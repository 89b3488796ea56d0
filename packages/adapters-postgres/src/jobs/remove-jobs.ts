import type { Job } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../database/schema.ts';
import { WITH_NEXT } from '../database/transact.ts';
import type { ListRemoved, RemovedJob } from './job-outbox.ts';

/** See `JobOutbox.removeDecided`. */
export function removeDecidedJobs(
  trx: Trx,
  orgId: string,
  deliveryIds: readonly string[],
): Promise<ListRemoved> {
  return removeJobs(
    trx,
    orgId,
    { kinds: ['fulfil-delivery', 'resolve-delivery'], subjects: deliveryIds },
    sql`true`,
  );
}

/** See `JobOutbox.removeSent`. */
export function removeSentJobs(trx: Trx, orgId: string, emailIds: readonly string[]): Promise<ListRemoved> {
  const isRunning = sql`lease_id is not null and again_at is null`;
  return removeJobs(trx, orgId, { kinds: ['send-email'], subjects: emailIds }, isRunning);
}

/**
 * Looks up each job by its kind and subject, as `IS_HELD` of the leases does. Otherwise it may read all jobs of the
 * organisation.
 */
async function removeJobs(
  trx: Trx,
  orgId: string,
  { kinds, subjects }: { readonly kinds: readonly Job['kind'][]; readonly subjects: readonly string[] },
  condition: RawBuilder<unknown>,
): Promise<ListRemoved> {
  if (subjects.length === 0) return () => [];
  const { rows } = await sql<RemovedJob>`${sql.raw(WITH_NEXT)}
    delete from jobs
    where org_id is not distinct from ${orgId} and ctid = any(array(
      select job.place
      from unnest(${kinds}::text[]) as named (kind)
      cross join unnest(${subjects}::text[]) as about (subject)
      cross join lateral (
        select ctid as place from jobs
        where jobs.kind = named.kind and jobs.subject = about.subject and org_id is not distinct from ${orgId}
          and ${condition}
        for update skip locked
      ) job
    ))
    returning kind, org_id as "orgId", subject, lease_id as "leaseId"
  `.execute(trx);
  return () => rows;
}
