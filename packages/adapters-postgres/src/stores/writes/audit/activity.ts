import type { ActivityEntry, ActivityKind, ActivityLog } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function createPostgresActivityLog(db: Kysely<Schema>): ActivityLog {
  return {
    add: async (orgId, entry) => {
      await db.insertInto('activity').values(toRow(orgId, entry)).execute();
    },

    rewriteNewest: async (orgId, { kind, subjectId, summary }) => {
      if (!areIds(orgId, subjectId)) return;
      await db
        .updateTable('activity')
        .set({ summary })
        .where('org_id', '=', orgId)
        .where('id', '=', (newest) =>
          newest
            .selectFrom('activity')
            .select('id')
            .where('org_id', '=', orgId)
            .where('subject_id', '=', subjectId)
            .where('kind', '=', kind)
            .orderBy('id', 'desc')
            .limit(1),
        )
        .execute();
    },

    list: async (orgId, { subjectId, via = null, before, limit }) => {
      if (!areIds(...[orgId, subjectId, before].filter((id) => id !== null))) return [];
      const rows = await db
        .selectFrom('activity')
        .selectAll()
        .where('org_id', '=', orgId)
        .$if(subjectId !== null, (query) => query.where('subject_id', '=', subjectId ?? ''))
        .$if(via !== null, (query) => query.where('via', '=', via ?? 'automatic'))
        .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id, at, kind, subject_id, summary, actor, via, via_detail }) => ({
        id,
        at,
        kind: kind as ActivityKind,
        subjectId: subject_id,
        summary,
        via,
        ...(actor === null ? {} : { actor }),
        ...(via_detail === null ? {} : { viaDetail: via_detail }),
      }));
    },
  };
}

export function toRow(
  orgId: string,
  { id, at, kind, subjectId, summary, actor, via, viaDetail }: ActivityEntry,
) {
  const how = { actor: actor ?? null, via, via_detail: viaDetail ?? null };
  return { org_id: orgId, id, at, kind, subject_id: subjectId, summary, ...how };
}
