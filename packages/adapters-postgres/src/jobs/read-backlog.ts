import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';
import { readRow } from '../statements/rows.ts';

/** What the queue of the whole installation contains. */
export interface Backlog {
  /** When the oldest delivery that was never decided was received. Null: every one was. */
  readonly oldestUndecided: Date | null;
  /** Since when the oldest e-mail that is due has been pending. Null: none is. */
  readonly oldestPendingEmail: Date | null;
  /** Of the first `MAX_COUNTED` jobs. `waiting`: due later. */
  readonly jobs: readonly {
    readonly kind: string;
    readonly state: 'due' | 'running' | 'waiting';
    readonly count: number;
  }[];
}

/** Counting stops here, so that it stays cheap when the queue is long. */
export const MAX_COUNTED = 100_000;

/** The number of e-mails that are read, oldest first: only some of them have been postponed since. */
const MAX_EMAILS = 500;

/**
 * Reads the queue in one statement. Every undecided delivery and every pending e-mail has a job, and ids begin with their time:
 * so the first jobs in the primary key are the oldest, and no table of a tenant is searched.
 */
export async function readBacklog(db: Db): Promise<Backlog> {
  return readRow(
    db,
    sql<Backlog>`
    select
      (
        select delivery.received_at
        from (
          select subject, org_id from jobs where kind = 'fulfil-delivery' and attempts = 0 order by subject limit 1
        ) job
        join deliveries delivery on delivery.org_id = job.org_id and delivery.id = job.subject::uuid
      ) as "oldestUndecided",
      (
        select min(email.pending_since)
        from (
          select subject, org_id from jobs where kind = 'send-email' order by subject limit ${MAX_EMAILS}
        ) job
        join outgoing_emails email on email.org_id = job.org_id and email.id = job.subject::uuid
        where email.status = 'pending'
      ) as "oldestPendingEmail",
      (
        select coalesce(json_agg(json_build_object('kind', kind, 'state', state, 'count', count)), '[]')
        from (
          select kind, state, count(*)::integer as count
          from (
            select
              kind,
              case when lease_until > now() then 'running' when due_at > now() then 'waiting' else 'due' end as state
            from jobs
            limit ${MAX_COUNTED}
          ) job
          group by kind, state
        ) counted
      ) as jobs
  `,
  );
}
