import type { Job, Rerun } from '@handover/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';

interface Queueing extends Pick<Rerun, 'kind' | 'orgId' | 'startAfter'> {
  /** Over the columns of `deliveries`. */
  readonly condition: RawBuilder<unknown>;
}

/**
 * Queues the job of every entry of the organisation that meets the condition, keeps it as a rerun, and answers
 * with their number and a job to wake a worker with: he wakes the next. However many there are: a page is three
 * statements.
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
      await keepReruns(trx, wanted);
      count += wanted.length;
      due = wanted.slice(0, 1);
    }
    if (page.length < PAGE) return { count, due };
    after = page.at(-1)?.id ?? null;
  }
}

/**
 * By id, like everyone. What is there already is left alone and not locked, so that two entries of an order that settle
 * each other don't wait in a circle.
 */
async function keepReruns(trx: Transaction<Schema>, reruns: readonly Rerun[]): Promise<void> {
  const column = columnsOf(reruns);
  await sql`
    insert into reruns (org_id, delivery_id, kind, attempts, due_at)
    select * from unnest(
      ${column('orgId')}::uuid[],
      ${column('deliveryId')}::uuid[],
      ${column('kind')}::text[],
      ${column('attempts')}::integer[],
      ${column('startAfter')}::timestamptz[]
    )
    on conflict (org_id, delivery_id, kind, attempts) do nothing
  `.execute(trx);
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
