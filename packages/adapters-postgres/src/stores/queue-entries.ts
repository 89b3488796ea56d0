import type { Job, Plan } from '@handover/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';

type Trx = Transaction<Schema>;

/** A job that decides an entry. */
type DecidingJob = Extract<Job, { readonly kind: 'fulfil-delivery' | 'settle-delivery' }>;

interface Queueing {
  readonly kind: DecidingJob['kind'];
  readonly orgId: string;
  readonly startAfter: Date;
  /** Over the columns of `deliveries`. */
  readonly condition: RawBuilder<unknown>;
}

/**
 * Queues the job of every entry of the organisation that meets the condition, and answers with their number and a job to
 * wake a worker with. However many there are: a page is two statements.
 */
export function queueEntries(
  trx: Trx,
  jobs: JobOutbox,
  { kind, orgId, startAfter, condition }: Queueing,
): Promise<{ readonly count: number; readonly due: readonly Job[] }> {
  return queuePages(trx, jobs, async (after) => {
    const { rows } = await sql<EntryRow>`
      select id, attempts from deliveries
      where org_id = ${orgId} and id > ${after} and (${condition})
      order by id
      limit ${PAGE}
    `.execute(trx);
    return rows.map(({ id, attempts }) => ({ kind, orgId, deliveryId: id, attempts, startAfter }));
  });
}

/**
 * Queues other entries of the orders that were delivered now, and have an open line. Whatever held another entry of such an
 * order up to now has committed, and is seen here: its plan held the entry that was delivered (see `holdFacts`). One that
 * comes later finds what was bought, and is refused.
 */
export async function queueSettling(
  trx: Trx,
  jobs: JobOutbox,
  orgId: string,
  plans: readonly Plan[],
): Promise<readonly Job[]> {
  const settled = plans.flatMap(({ settles, delivery }) =>
    settles ? { ...settles, id: delivery.id, at: delivery.decidedAt } : [],
  );
  if (settled.length === 0) return [];
  const column = columnsOf(settled);
  const { due } = await queuePages(trx, jobs, async (after) => {
    const { rows } = await sql<EntryRow & { readonly startAfter: Date }>`
        select entry.id, entry.attempts, settled.at as "startAfter"
        from unnest(
          ${column('connectionId')}::uuid[],
          ${column('orderId')}::text[],
          ${column('id')}::uuid[],
          ${column('at')}::timestamptz[]
        ) as settled (connection_id, order_id, id, at)
        cross join lateral (
          select id, attempts from deliveries
          where org_id = ${orgId}
            and connection_id = settled.connection_id and order_id = settled.order_id and id <> settled.id
            and id > ${after}
            and exists (
              select from delivery_lines
              where org_id = ${orgId} and delivery_id = deliveries.id and outcome in ('held', 'unmatched')
            )
          offset 0
        ) entry
        order by entry.id
        limit ${PAGE}
      `.execute(trx);
    return rows.map(({ id, attempts, startAfter }) => ({
      kind: 'settle-delivery',
      orgId,
      deliveryId: id,
      attempts,
      startAfter,
    }));
  });
  return due;
}

async function queuePages(
  trx: Trx,
  jobs: JobOutbox,
  listPage: (after: string) => Promise<readonly DecidingJob[]>,
): Promise<{ readonly count: number; readonly due: readonly Job[] }> {
  let count = 0;
  let due: readonly Job[] = [];
  let after = NIL;
  while (true) {
    const page = await listPage(after);
    if (page.length > 0) {
      await jobs.enqueue(trx, page);
      count += page.length;
      due = page.slice(0, 1);
    }
    if (page.length < PAGE) return { count, due };
    after = page.at(-1)?.deliveryId ?? NIL;
  }
}

const PAGE = 5000;

/** Comes before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

interface EntryRow {
  readonly id: string;
  readonly attempts: number;
}
