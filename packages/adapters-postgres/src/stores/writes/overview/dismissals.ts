import type { Dismissals } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function createPostgresDismissals(db: Kysely<Schema>): Dismissals {
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
    dismiss: async (orgId, { subject, seenAt, seenCount, reason, by, at }) => {
      const seen = { seen_at: seenAt, seen_count: seenCount, reason, dismissed_by: by, at };
      await db
        .insertInto('dismissals')
        .values({ org_id: orgId, subject, ...seen })
        .onConflict((conflict) => conflict.columns(['org_id', 'subject']).doUpdateSet(seen))
        .execute();
    },
    bringBack: async (orgId, subject) => {
      if (!areIds(orgId)) return false;
      const { numDeletedRows } = await db
        .deleteFrom('dismissals')
        .where('org_id', '=', orgId)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
