import type { Job } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';

/** Rows of one kind that are overdue, and the job that each should have. */
export interface Overdue {
  /** Under which its cursor is kept. */
  readonly name: string;
  /** With `org_id` (null for what belongs to none), `id` and `attempts`. */
  readonly table: RawBuilder<unknown>;
  readonly isOfOrganisations: boolean;
  readonly condition: RawBuilder<unknown>;
  readonly toJob: (row: OverdueRow) => Job;
}

export interface OverdueRow {
  readonly orgId: string;
  readonly id: string;
  readonly attempts: number;
}

/** How much a run looks at. What is left over is for the next one, which goes on from there. */
export const SWEEP_LIMITS = { page: 1000, pages: 20 };

/**
 * Gives a job to those that have none, from where the last run ended, and answers with their number. A page is read, looked
 * up in the queue and given jobs by a statement each; nothing is held between pages. A job that comes back twice, from two
 * processes, does no harm.
 */
export async function putBack(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  overdue: Overdue,
  limits: typeof SWEEP_LIMITS,
): Promise<number> {
  const begunAt = await readCursor(db, overdue.name);
  let count = 0;
  let cursor: Cursor | null = begunAt;
  for (let page = 0; page < limits.pages; page += 1) {
    const rows = await listPage(db, overdue, cursor, limits.page);
    const lost = await jobs.findLost(rows.map(overdue.toJob));
    if (lost.length > 0) {
      await runTransaction(db, (trx) => jobs.enqueue(trx, lost));
      jobs.wake(lost.slice(0, 1));
    }
    count += lost.length;
    // After the last one it begins anew: with the next run, so that a run stays bounded.
    cursor = rows.length < limits.page ? null : (rows.at(-1) ?? null);
    if (cursor === null) break;
  }
  if (cursor !== null || begunAt !== null) await keepCursor(db, overdue, cursor);
  return count;
}

type Cursor = Pick<OverdueRow, 'id'> & { readonly orgId: string | null };

async function listPage(
  db: Kysely<Schema>,
  { table, isOfOrganisations, condition }: Overdue,
  after: Cursor | null,
  limit: number,
): Promise<readonly OverdueRow[]> {
  const place = isOfOrganisations ? sql`org_id, id` : sql`id`;
  const mark = isOfOrganisations ? sql`${after?.orgId}::uuid, ${after?.id}::uuid` : sql`${after?.id}::uuid`;
  const { rows } = await sql<OverdueRow>`
    select org_id as "orgId", id, attempts from ${table}
    where ${condition} ${after ? sql`and (${place}) > (${mark})` : sql``}
    order by ${place}
    limit ${limit}
  `.execute(db);
  return rows;
}

async function readCursor(db: Kysely<Schema>, name: string): Promise<Cursor | null> {
  const row = await db
    .selectFrom('sweep_cursors')
    .select(['after_org as orgId', 'after_id as id'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? null;
}

async function keepCursor(
  db: Kysely<Schema>,
  { name, isOfOrganisations }: Overdue,
  cursor: Cursor | null,
): Promise<void> {
  if (cursor === null) {
    await db.deleteFrom('sweep_cursors').where('name', '=', name).execute();
    return;
  }
  const place = { after_org: isOfOrganisations ? cursor.orgId : null, after_id: cursor.id };
  await db
    .insertInto('sweep_cursors')
    .values({ name, ...place })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(place))
    .execute();
}
