import type { Job, Plan } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { columnsOf } from '../../../statements/columns-of.ts';

/**
 * Queues other entries of the orders that were delivered now and have an open line. A plan that held another entry of
 * such an order has committed, and is seen here: it locked the entry that was delivered (see `lockFacts`). A later
 * plan finds the new purchases, and is refused.
 */
export async function queueResolving(
  trx: Trx,
  jobs: JobOutbox,
  orgId: string,
  plans: readonly Plan[],
): Promise<readonly Job[]> {
  const delivered = plans.flatMap(({ resolves, delivery }) =>
    resolves ? { ...resolves, id: delivery.id, at: delivery.decidedAt } : [],
  );
  if (delivered.length === 0) return [];
  const column = columnsOf(delivered);
  return queuePages(trx, jobs, async (after) => {
    const { rows } = await sql<EntryRow & { readonly startAfter: Date }>`
        select entry.id, entry.attempts, delivered.at as "startAfter"
        from unnest(
          ${column('connectionId')}::uuid[],
          ${column('orderId')}::text[],
          ${column('id')}::uuid[],
          ${column('at')}::timestamptz[]
        ) as delivered (connection_id, order_id, id, at)
        cross join lateral (
          select id, attempts from deliveries
          where org_id = ${orgId}
            and connection_id = delivered.connection_id and order_id = delivered.order_id and id <> delivered.id
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
      kind: 'resolve-delivery',
      orgId,
      deliveryId: id,
      attempts,
      startAfter,
    }));
  });
}

/** Returns a job to wake a worker with. A page takes two statements, however many there are. */
async function queuePages(
  trx: Trx,
  jobs: JobOutbox,
  listPage: (after: string) => Promise<readonly ResolvingJob[]>,
): Promise<readonly Job[]> {
  let due: readonly Job[] = [];
  let after = NIL;
  while (true) {
    const page = await listPage(after);
    if (page.length > 0) {
      await jobs.enqueue(trx, page);
      due = page.slice(0, 1);
    }
    if (page.length < PAGE) return due;
    after = page.at(-1)?.deliveryId ?? NIL;
  }
}

const PAGE = 5000;

/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

type ResolvingJob = Extract<Job, { readonly kind: 'resolve-delivery' }>;

interface EntryRow {
  readonly id: string;
  readonly attempts: number;
}
