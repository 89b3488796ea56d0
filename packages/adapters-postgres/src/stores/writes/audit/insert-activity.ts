import type { ActivityEntry } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { unnestRows } from '../../../statements/rows.ts';

/** Adds entries to the activity log. */
export async function insertActivity(
  db: Db,
  orgId: string,
  activity: readonly ActivityEntry[],
): Promise<void> {
  if (activity.length > 0) await insertEntries(orgId, activity).execute(db);
}

/** The statement that adds entries, also as a part of another statement. */
export function insertEntries(orgId: string, activity: readonly ActivityEntry[]): RawBuilder<unknown> {
  return sql`
      insert into activity (org_id, id, at, kind, subject_id, summary, actor, via, via_detail)
      select ${orgId}::uuid, entry.*
      from ${unnestRows(activity).as(`entry (
        id uuid, at timestamptz, kind text, subject_id uuid, summary text, actor text, via text,
        via_detail text
      )`)}
    `;
}
