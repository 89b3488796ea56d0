import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isTimeLimit } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { firstIdAt } from '../../../statements/ids.ts';
import { type Nodes, readNodes } from './body-nodes.ts';

/** A partition of the bodies, by its range of ids. */
export interface BodyWeek {
  readonly table: string;
  /** Null: the bodies from before there were weeks. */
  readonly firstId: string | null;
  /** The first id of the next partition. */
  readonly endId: string;
}

/** The partition for ids without a week. */
export const DEFAULT_WEEK = 'delivery_bodies_default';

/** The number of weeks that are created ahead: maintenance may be down for this long. */
const WEEKS_AHEAD = 4;
/** The maximum number of bodies that are kept of a dropped week. They are moved while the whole table is locked. */
const MAX_KEPT = 500;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** The maximum number of bodies that are moved to a week that is created after they arrived. They are locked meanwhile. */
const MAX_EARLY = 1000;
/** Only exceeded after the retention was shortened much: later runs drop the other weeks. */
const MAX_DROPPED_IN_A_RUN = 10;

/** Creates the coming weeks, and drops those that were over at `before`. */
export async function rotateWeeks(
  db: Db,
  now: Date,
  before: Date,
): Promise<{ readonly made: number; readonly dropped: number }> {
  const weeks = await listBodyWeeks(db);
  const nodes = await readNodes(db);
  const missing = listComing(now).filter((coming) => !weeks.some((week) => overlap(week, coming)));
  const old = weeks.filter((week) => isOver(week, before));
  let made = 0;
  for (const week of missing) if (await unlessBusy(() => makeWeek(db, week, nodes))) made += 1;
  let dropped = 0;
  for (const week of old) {
    if (dropped === MAX_DROPPED_IN_A_RUN) break;
    if (await isCrowded(db, week, before, nodes)) continue;
    if (await unlessBusy(() => dropWeek(db, week, before, nodes))) dropped += 1;
  }
  return { made, dropped };
}

/** Oldest first, without the default partition. */
export async function listBodyWeeks(db: Db): Promise<readonly BodyWeek[]> {
  const { rows } = await sql<BodyWeek>`
    select
      leaf.relname as "table",
      substring(pg_get_expr(leaf.relpartbound, leaf.oid) from 'FROM \\(''([0-9a-f-]{36})''\\)') as "firstId",
      substring(pg_get_expr(leaf.relpartbound, leaf.oid) from 'TO \\(''([0-9a-f-]{36})''\\)') as "endId"
    from pg_inherits
    join pg_class leaf on leaf.oid = inhrelid
    where inhparent = 'delivery_bodies'::regclass and leaf.relname <> ${DEFAULT_WEEK}
    order by "endId"
  `.execute(db);
  return rows;
}

export function isOver({ endId }: BodyWeek, before: Date): boolean {
  return endId <= firstIdAt(before);
}

/** Whether too many bodies of the week must be kept to move them at once: then the others are deleted one by one. */
export async function isCrowded(db: Db, week: BodyWeek, before: Date, nodes: Nodes): Promise<boolean> {
  const { rows } = await sql<{ readonly count: number; readonly bytes: number }>`
    select count(*)::integer as count, coalesce(sum(octet_length(body.bytes)), 0)::float8 as bytes
    from (${nodes.bodiesNeeded(week, before, MAX_KEPT + 1)}) needed
    join ${sql.table(week.table)} body on body.org_id = needed.org_id and body.id = needed.id
  `.execute(db);
  return rows.some(({ count, bytes }) => count > MAX_KEPT || bytes > MAX_KEPT_BYTES);
}

type ComingWeek = BodyWeek & { readonly firstId: string };

/** The week of that moment and the following ones. */
function listComing(now: Date): readonly ComingWeek[] {
  const current = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS);
  return Array.from({ length: 1 + WEEKS_AHEAD }, (_, ahead) => {
    const start = new Date(FIRST_MONDAY_MS + (current + ahead) * WEEK_MS);
    return {
      table: `delivery_bodies_${start.toISOString().slice(0, 10).replaceAll('-', '')}`,
      firstId: firstIdAt(start),
      endId: firstIdAt(new Date(start.getTime() + WEEK_MS)),
    };
  });
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
/** 5 January 1970. */
const FIRST_MONDAY_MS = 4 * 24 * 60 * 60 * 1000;

function overlap(week: BodyWeek, { firstId, endId }: ComingWeek): boolean {
  return (week.firstId === null || week.firstId < endId) && firstId < week.endId;
}

/**
 * Attaching a partition locks the default partition and reads all of it; the other partitions stay available. Bodies
 * of that week that exist already are moved.
 */
function makeWeek(db: Db, { table, firstId, endId }: ComingWeek, nodes: Nodes): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await nodes.prepareChange(trx);
    await limitWaits(trx);
    await sql`lock table ${sql.table(DEFAULT_WEEK)} in access exclusive mode`.execute(trx);
    const isEarly = sql`id >= ${firstId} and id < ${endId}`;
    const early = await sql`
      select from ${sql.table(DEFAULT_WEEK)} body where ${isEarly} limit ${MAX_EARLY + 1}
    `.execute(trx);
    // Then all bodies of that week stay in the default partition.
    if (early.rows.length > MAX_EARLY || (await isThere(trx, table))) return false;
    await sql`create table ${sql.table(table)} (like delivery_bodies including all)`.execute(trx);
    await sql`
      with early as (delete from ${sql.table(DEFAULT_WEEK)} body where ${isEarly} returning *)
      insert into ${sql.table(table)} select * from early
    `.execute(trx);
    await sql`
      alter table delivery_bodies attach partition ${sql.table(table)}
      for values from (${sql.lit(firstId)}) to (${sql.lit(endId)})
    `.execute(trx);
    return true;
  });
}

/**
 * Locks the whole table for a moment. (Detaching concurrently would lock nothing, but PostgreSQL refuses it if there
 * is a default partition.) Once the week is detached, the bodies to keep are moved to the default partition.
 */
function dropWeek(db: Db, week: BodyWeek, before: Date, nodes: Nodes): Promise<boolean> {
  return transact<boolean>(db, async (trx, giveUp) => {
    const table = sql.table(week.table);
    await nodes.prepareChange(trx);
    await limitWaits(trx);
    await sql`lock table only delivery_bodies in access exclusive mode`.execute(trx);
    if (!(await isThere(trx, week.table))) return false;
    // All other statements wait now, so this must not wait for a vacuum of the partition.
    await sql`lock table ${table} in access exclusive mode nowait`.execute(trx);
    await sql`alter table delivery_bodies detach partition ${table}`.execute(trx);
    const kept = await sql`
      insert into delivery_bodies (org_id, id, bytes, headers, received_at)
      select body.org_id, body.id, body.bytes, body.headers, body.received_at
      from (${nodes.bodiesNeeded(week, before, MAX_KEPT + 1)}) needed
      join ${table} body on body.org_id = needed.org_id and body.id = needed.id
    `.execute(trx);
    if (Number(kept.numAffectedRows) > MAX_KEPT) giveUp(false);
    await sql`drop table ${table}`.execute(trx);
    return true;
  });
}

/** Webhooks queue behind a waiting lock of this kind, so the wait is short. */
async function limitWaits(trx: Trx): Promise<void> {
  await sql`select set_config('lock_timeout', '250ms', true), set_config('statement_timeout', '2s', true)`.execute(
    trx,
  );
}

async function isThere(trx: Trx, table: string): Promise<boolean> {
  const { rows } = await sql<{ readonly isThere: boolean }>`
    select to_regclass(${table}) is not null as "isThere"
  `.execute(trx);
  return rows[0]?.isThere ?? false;
}

/** A partition that is locked now, or takes too long, is handled in a later run. */
async function unlessBusy(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (isTimeLimit(error)) return false;
    throw error;
  }
}
