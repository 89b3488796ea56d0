import type { Release } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds, FIRST_ID } from '../../../statements/ids.ts';
import { countRows } from '../../../statements/rows.ts';

/**
 * The number of entries that are open for it now and can be run. Each entry is looked up by its id: after many
 * insertions the planner believes that there are few, and would compare each with all others.
 */
export async function countReleased(db: Db, orgId: string, release: Release): Promise<number> {
  const open = selectReleased(orgId, release, FIRST_ID);
  if (release.kind !== 'sku') return countRows(db, open);
  return countRows(
    db,
    sql`select from (${open}) released cross join lateral (
        select body_id from deliveries where org_id = ${orgId} and id = released.id offset 0
      ) entry
      where ${canRun(orgId, release)}`,
  );
}

/** Whether the ids of the release are UUIDs. */
export function areReleasable(orgId: string, release: Release): boolean {
  return areIds(orgId, release.kind === 'product' ? release.productId : null);
}

/** The products whose entries are being released. */
export function releasedProducts(orgId: string): RawBuilder<unknown> {
  return sql`array(
    select split_part(release, ' ', 2)::uuid from releases where org_id = ${orgId} and release like 'product %'
  )`;
}

/** Each kind has an index that begins with the columns named here and continues with the ids of entries. */
export function selectReleased(orgId: string, release: Release, after: string): RawBuilder<unknown> {
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
export function canRun(orgId: string, release: Release): RawBuilder<unknown> {
  if (release.kind !== 'sku') return sql`true`;
  return sql`exists (
    select from delivery_bodies body where body.org_id = ${orgId} and body.id = entry.body_id and body.bytes is not null
  )`;
}
