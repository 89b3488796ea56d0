import { formatRelease, type Job, type OpenDeliveries, type Release } from '@handover/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';

type Db = Kysely<Schema>;
type Trx = Transaction<Schema>;

export function createPostgresReleases(
  db: Db,
  jobs: JobOutbox,
): Pick<OpenDeliveries, 'release' | 'releaseNext' | 'isReleasing'> {
  return {
    release: async (orgId, release, at) => {
      if (!areReleasable(orgId, release)) return;
      const due = await runTransaction(db, (trx) => addRelease(trx, jobs, orgId, release, at));
      jobs.wake([due]);
    },
    releaseNext: async (orgId, release, page) => {
      if (!areReleasable(orgId, release)) return 'over';
      const due: Job[] = [];
      const state = await transact<'more' | 'over'>(db, async (trx) => {
        const after = await holdRelease(trx, orgId, release);
        if (after === null) return 'over';
        if (after === LAST) {
          await endRelease(trx, orgId, release);
          return 'over';
        }
        due.push(...(await queuePage(trx, jobs, { orgId, release, after, ...page })));
        return 'more';
      });
      jobs.wake(due);
      return state;
    },
    isReleasing: async (orgId, release) => {
      if (!areReleasable(orgId, release)) return false;
      const { rows } = await sql`
        select from releases where org_id = ${orgId} and release = ${formatRelease(release)}
      `.execute(db);
      return rows.length > 0;
    },
  };
}

/**
 * Inserts a release in the transaction of its cause, and returns its job. A worker that processes the release at this
 * moment holds its row: the release starts again after that page.
 */
export async function addRelease(
  trx: Trx,
  jobs: JobOutbox,
  orgId: string,
  release: Release,
  startAfter: Date,
): Promise<Job> {
  await sql`
    insert into releases (org_id, release) values (${orgId}, ${formatRelease(release)})
    on conflict (org_id, release) do update set after_entry = default
  `.execute(trx);
  const job: Job = { kind: 'release-entries', orgId, release, startAfter };
  await jobs.enqueue(trx, [job]);
  return job;
}

/** The number of entries that are open for it now and can be run. */
export async function countReleased(db: Db, orgId: string, release: Release): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::integer as count
    from (${selectIds(orgId, release, NIL)}) released
    join deliveries entry on entry.org_id = ${orgId} and entry.id = released.id
    where ${canRun(orgId, release)}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** The products whose entries are being released. */
export function releasedProducts(orgId: string): RawBuilder<unknown> {
  return sql`array(
    select split_part(release, ' ', 2)::uuid from releases where org_id = ${orgId} and release like 'product %'
  )`;
}

/** The position of the release; a concurrent reader waits for the end of this transaction. */
async function holdRelease(trx: Trx, orgId: string, release: Release): Promise<string | null> {
  const { rows } = await sql<{ readonly after: string }>`
    select after_entry as after from releases
    where org_id = ${orgId} and release = ${formatRelease(release)}
    for update
  `.execute(trx);
  return rows[0]?.after ?? null;
}

async function endRelease(trx: Trx, orgId: string, release: Release): Promise<void> {
  await sql`
    delete from releases where org_id = ${orgId} and release = ${formatRelease(release)}
  `.execute(trx);
}

interface Page {
  readonly orgId: string;
  readonly release: Release;
  readonly after: string;
  readonly at: Date;
  readonly limit: number;
}

/**
 * Reads entries from one index, in the order of their ids. The first page that is not full is the last. The release
 * ends at one more look, when others have taken what it queued.
 */
async function queuePage(
  trx: Trx,
  jobs: JobOutbox,
  { orgId, release, after, at, limit }: Page,
): Promise<readonly Job[]> {
  const { rows } = await sql<{ readonly id: string; readonly attempts: number; readonly canRun: boolean }>`
    with page as materialized (
      ${selectIds(orgId, release, after)} order by id limit ${limit}
    )
    select entry.id, entry.attempts, ${canRun(orgId, release)} as "canRun"
    from page cross join lateral (
      select id, attempts, body_id from deliveries where org_id = ${orgId} and id = page.id offset 0
    ) entry
    order by entry.id
  `.execute(trx);
  const due = rows
    .filter((row) => row.canRun)
    .map(({ id, attempts }) => ({
      kind: 'fulfil-delivery' as const,
      orgId,
      deliveryId: id,
      attempts,
      startAfter: at,
    }));
  await jobs.enqueue(trx, due);
  const reached = rows.length === limit ? rows.at(-1)?.id : LAST;
  await sql`
    update releases set after_entry = ${reached}
    where org_id = ${orgId} and release = ${formatRelease(release)}
  `.execute(trx);
  return due.slice(0, 1);
}

/** Each kind has an index that begins with the columns named here and continues with the ids of entries. */
function selectIds(orgId: string, release: Release, after: string): RawBuilder<unknown> {
  switch (release.kind) {
    case 'product':
      return sql`
        select distinct delivery_id as id from delivery_lines
        where org_id = ${orgId} and product_id = ${release.productId} and outcome = 'held' and delivery_id > ${after}`;
    case 'sku':
      return sql`
        select distinct delivery_id as id from delivery_lines
        where org_id = ${orgId} and sku_key = ${release.sku} and delivery_id > ${after}
          ${release.platform === null ? sql`` : sql`and platform = ${release.platform}`}`;
    case 'subscription':
      return sql`
        select id from deliveries where org_id = ${orgId} and held_for = 'subscription' and id > ${after}`;
  }
}

/** A condition on `entry`. A held entry keeps its body; an entry with an unknown SKU cannot be run without its body. */
function canRun(orgId: string, release: Release): RawBuilder<unknown> {
  if (release.kind !== 'sku') return sql`true`;
  return sql`exists (
    select from delivery_bodies body where body.org_id = ${orgId} and body.id = entry.body_id and body.bytes is not null
  )`;
}

function areReleasable(orgId: string, release: Release): boolean {
  return areIds(orgId, ...(release.kind === 'product' ? [release.productId] : []));
}

/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** Sorts after every id. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
