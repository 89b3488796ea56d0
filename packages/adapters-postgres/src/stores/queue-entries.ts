import type { Job } from '@handover/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';

interface Queueing {
  readonly kind: 'fulfil-delivery' | 'settle-delivery';
  readonly orgId: string;
  readonly startAfter: Date;
  /** Over the columns of `deliveries`. */
  readonly condition: RawBuilder<unknown>;
}

/**
 * Queues the job of every entry of the organisation that meets the condition, and answers with their number and a job to
 * wake a worker with. However many there are: a page is two statements.
 */
export async function queueEntries(
  trx: Transaction<Schema>,
  jobs: JobOutbox,
  queueing: Queueing,
): Promise<{ readonly count: number; readonly due: readonly Job[] }> {
  let count = 0;
  let due: readonly Job[] = [];
  let after: string | null = null;
  while (true) {
    const page: readonly EntryRow[] = await listEntries(trx, queueing, after);
    if (page.length > 0) {
      const { kind, orgId, startAfter } = queueing;
      const wanted = page.map(({ id, attempts }) => ({ kind, orgId, deliveryId: id, attempts, startAfter }));
      await jobs.enqueue(trx, wanted);
      count += wanted.length;
      due = wanted.slice(0, 1);
    }
    if (page.length < PAGE) return { count, due };
    after = page.at(-1)?.id ?? null;
  }
}

const PAGE = 5000;

interface EntryRow {
  readonly id: string;
  readonly attempts: number;
}

async function listEntries(
  trx: Transaction<Schema>,
  { orgId, condition }: Queueing,
  after: string | null,
): Promise<readonly EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select id, attempts from deliveries
    where org_id = ${orgId} ${after === null ? sql`` : sql`and id > ${after}`} and (${condition})
    order by id
    limit ${PAGE}
  `.execute(trx);
  return rows;
}
