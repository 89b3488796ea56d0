import type { Dismissals } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';

export function createPostgresDismissals(db: Db): Dismissals {
  return {
    list: async (orgId, subjects) => {
      if (!areIds(orgId)) return [];
      return db
        .selectFrom('dismissals')
        .select([
          'subject',
          'seen_at as seenAt',
          'seen_count as seenCount',
          'reason',
          'dismissed_by as by',
          'at',
        ])
        .where('org_id', '=', orgId)
        .where('subject', '=', sql<string>`any(${subjects}::text[])`)
        .orderBy('at', 'desc')
        .orderBy('subject')
        .execute();
    },
    dismiss: async (orgId, dismissals) => {
      if (dismissals.length === 0) return [];
      // Rows are locked in the order of their keys, to avoid deadlocks.
      const sorted = [...dismissals].sort((a, b) => (a.subject < b.subject ? -1 : 1));
      // A dismissal that saw more is not replaced: see `sawMore` of the domain.
      const { rows } = await sql<{ readonly subject: string }>`
        insert into dismissals (org_id, subject, seen_at, seen_count, reason, dismissed_by, at)
        select ${orgId}::uuid, given.* from ${unnestRows(sorted).as(`given (
          subject text, seen_at timestamptz, seen_count integer, reason text, by text, at timestamptz
        )`)}
        on conflict (org_id, subject) do update set
          seen_at = excluded.seen_at, seen_count = excluded.seen_count, reason = excluded.reason,
          dismissed_by = excluded.dismissed_by, at = excluded.at
          where dismissals.seen_at < excluded.seen_at or dismissals.seen_count < excluded.seen_count
            or (dismissals.seen_at, dismissals.seen_count) = (excluded.seen_at, excluded.seen_count)
        returning subject
      `.execute(db);
      const written = new Set(rows.map(({ subject }) => subject));
      return dismissals.map(({ subject }) => subject).filter((subject) => written.has(subject));
    },
    bringBack: async (orgId, subjects, dismissedAt = null) => {
      if (!areIds(orgId) || subjects.length === 0) return [];
      const rows = await db
        .deleteFrom('dismissals')
        .where('org_id', '=', orgId)
        .where('subject', '=', sql<string>`any(${subjects}::text[])`)
        .$if(dismissedAt !== null, (deleted) => deleted.where('at', '=', dismissedAt))
        .returning('subject')
        .execute();
      const found = new Set(rows.map(({ subject }) => subject));
      return [...new Set(subjects)].filter((subject) => found.has(subject));
    },
  };
}
