import type { ActivityEntry, ActivityKind, ActivityLog } from '@handover/domain';
import type { Kysely } from 'kysely';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';

export function createPostgresActivityLog(db: Kysely<Schema>): ActivityLog {
  return {
    add: async (orgId, entry) => {
      await db.insertInto('activity').values(toRow(orgId, entry)).execute();
    },

    list: async (orgId, { subjectId, before, limit }) => {
      if (!areIds(...[orgId, subjectId, before].filter((id) => id !== null))) return [];
      const rows = await db
        .selectFrom('activity')
        .selectAll()
        .where('org_id', '=', orgId)
        .$if(subjectId !== null, (query) => query.where('subject_id', '=', subjectId ?? ''))
        .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id, at, kind, subject_id, summary, actor }) => ({
        id,
        at,
        kind: kind as ActivityKind,
        subjectId: subject_id,
        summary,
        ...(actor === null ? {} : { actor }),
      }));
    },
  };
}

export function toRow(orgId: string, { id, at, kind, subjectId, summary, actor }: ActivityEntry) {
  return { org_id: orgId, id, at, kind, subject_id: subjectId, summary, actor: actor ?? null };
}
