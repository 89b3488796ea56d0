import type { Upkeep } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { JobOfOrg, JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';

type Db = Kysely<Schema>;

export function createPostgresUpkeep(db: Db, jobs: JobOutbox): Upkeep {
  return {
    putBackLostJobs: async (before, at) => ({
      deliveries: await putBack(db, jobs, {
        table: sql`deliveries`,
        overdue: sql`status = 'pending' and decided_at is null and received_at < ${before}`,
        toJob: ({ orgId, id, attempts }) => ({
          kind: 'fulfil-delivery',
          orgId,
          deliveryId: id,
          attempts,
          startAfter: at,
        }),
      }),
      receipts: await putBack(db, jobs, {
        table: sql`receipts`,
        overdue: sql`status = 'owed' and next_try_at < ${before} and ${IS_FREE}`,
        toJob: ({ orgId, id }) => ({ kind: 'send-receipt', orgId, receiptId: id, startAfter: at }),
      }),
      alertMails: await putBack(db, jobs, {
        table: sql`alert_mails`,
        overdue: sql`status in ('collecting', 'owed') and next_try_at < ${before} and ${IS_FREE}`,
        toJob: ({ orgId, id }) => ({ kind: 'send-alerts', orgId, mailId: id, startAfter: at }),
      }),
      reruns: await putBackReruns(db, jobs, before, at),
    }),

    removeBodies: async (before, limit) => {
      const { rows } = await sql`
        with old as (
          select org_id, id from delivery_bodies body
          where bytes is not null and received_at < ${before}
            and not exists (
              select from deliveries entry
              where entry.org_id = body.org_id and entry.body_id = body.id and entry.status in ('pending', 'held')
            )
          order by received_at
          limit ${limit}
          for update skip locked
        )
        update delivery_bodies body set bytes = null, headers = '{}'
        from old
        where body.org_id = old.org_id and body.id = old.id
        returning body.id
      `.execute(db);
      return rows.length;
    },
  };
}

async function putBackReruns(db: Db, jobs: JobOutbox, before: Date, at: Date): Promise<number> {
  await forgetImpossible(db);
  let count = 0;
  for (const kind of ['fulfil-delivery', 'settle-delivery'] as const) {
    count += await putBack(db, jobs, {
      table: sql`(select org_id, delivery_id as id, attempts, kind, due_at from reruns) rerun`,
      overdue: sql`kind = ${kind} and due_at < ${before}`,
      toJob: ({ orgId, id, attempts }) => ({ kind, orgId, deliveryId: id, attempts, startAfter: at }),
    });
  }
  return count;
}

/** Their entry was decided by somebody who did not see them, or can't be run for want of its body. */
async function forgetImpossible(db: Db): Promise<void> {
  await sql`
    delete from reruns rerun where not exists (
      select from deliveries entry
      join delivery_bodies body on body.org_id = entry.org_id and body.id = entry.body_id
      where entry.org_id = rerun.org_id and entry.id = rerun.delivery_id
        and entry.attempts = rerun.attempts and body.bytes is not null
    )
  `.execute(db);
}

const IS_FREE = sql`(claimed_until is null or claimed_until < now())`;

interface OverdueRow {
  readonly orgId: string;
  readonly id: string;
  readonly attempts: number;
}

interface Overdue {
  readonly table: RawBuilder<unknown>;
  readonly overdue: RawBuilder<unknown>;
  readonly toJob: (row: OverdueRow) => JobOfOrg;
}

const PAGE = 1000;
/** What is left over is for the next run. */
const PAGES_IN_A_RUN = 20;

/** Each page is one step. A job that comes back twice, from two processes, does no harm. */
async function putBack(db: Db, jobs: JobOutbox, { table, overdue, toJob }: Overdue): Promise<number> {
  let count = 0;
  let last: OverdueRow | null = null;
  for (let page = 0; page < PAGES_IN_A_RUN; page += 1) {
    const after: RawBuilder<unknown> = last ? sql`and (org_id, id) > (${last.orgId}, ${last.id})` : sql``;
    const { rows }: { readonly rows: readonly OverdueRow[] } = await sql<OverdueRow>`
      select org_id as "orgId", id, attempts from ${table}
      where ${overdue} ${after}
      order by org_id, id
      limit ${PAGE}
    `.execute(db);
    const lost = await jobs.findLost(rows.map(toJob));
    if (lost.length > 0) {
      await runTransaction(db, (trx) => jobs.enqueue(trx, lost));
      jobs.wake(lost.slice(0, 1));
    }
    count += lost.length;
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE) break;
  }
  return count;
}
