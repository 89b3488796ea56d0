import { sql } from 'kysely';
import type { Trx } from '../database/schema.ts';

/**
 * Makes the jobs that send these e-mails due later. Those that run, or that another transaction has locked, stay as they are, and
 * find that their e-mail is not due. Looks up each job by its kind and subject, as `IS_HELD` of the leases does.
 */
export async function delaySending(
  trx: Trx,
  orgId: string,
  emailIds: readonly string[],
  until: Date,
): Promise<void> {
  await sql`
    update jobs set due_at = ${until}
    where org_id is not distinct from ${orgId} and ctid = any(array(
      select job.place
      from unnest(${emailIds}::text[]) as about (subject)
      cross join lateral (
        select ctid as place from jobs
        where jobs.kind = 'send-email' and jobs.subject = about.subject and org_id is not distinct from ${orgId}
          and lease_id is null
        for update skip locked
      ) job
    ))
  `.execute(trx);
}
