import type { ActivityEntry, ActivityKind, ActivityLog } from '@handover/domain';
import { kindsOfGroup } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds, firstIdAt } from '../../../statements/ids.ts';
import { insertActivity } from './insert-activity.ts';

export function createPostgresActivityLog(db: Db): ActivityLog {
  return {
    add: (orgId, entry) => insertActivity(db, orgId, [entry]),

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

    list: (orgId, query) => listEntries(db, orgId, query),

    listSubjects: async (orgId, { kind, subjectIds, since }) => {
      const ids = areIds(orgId) ? subjectIds.filter((id) => areIds(id)) : [];
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('activity')
        .select('subject_id')
        .distinct()
        .where('org_id', '=', orgId)
        .where('subject_id', 'in', ids)
        .where('kind', '=', kind)
        .where('at', '>=', since)
        .execute();
      return rows.map(({ subject_id }) => subject_id);
    },
  };
}

async function listEntries(
  db: Db,
  orgId: string,
  { subjectId, via = null, actor = null, group = null, period, before, limit }: ActivityQuery,
): Promise<readonly ActivityEntry[]> {
  if (!areIds(orgId, subjectId, before)) return [];
  // `people` is everything except orders, with kinds that a newer version wrote. The other groups list their kinds.
  const only = group === null || group === 'people' ? null : kindsOfGroup(group);
  const rows = await db
    .selectFrom('activity')
    .selectAll()
    .where('org_id', '=', orgId)
    .$if(subjectId !== null, (query) => query.where('subject_id', '=', subjectId ?? ''))
    .$if(via !== null, (query) => query.where('via', '=', via ?? 'automatic'))
    .$if(actor !== null, (query) => query.where('actor', '=', actor))
    .$if(group !== null && group !== 'orders', (query) => query.where(WITHOUT_ORDERS))
    .$if(only !== null, (query) => query.where('kind', 'in', [...(only ?? [])]))
    .$if(Boolean(period), (query) => query.where(isOfPeriod(period)))
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
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Also compares ids: every index of the log ends with the id, so that old days are found without reading newer entries. */
function isOfPeriod({ from = null, until = null }: Partial<Period> = {}): RawBuilder<boolean> {
  const earliest = from && sql`at >= ${from} and id >= ${firstIdAt(new Date(from.getTime() - DAY_MS))}`;
  const latest = until && sql`at < ${until} and id < ${firstIdAt(new Date(until.getTime() + DAY_MS))}`;
  return sql`(${earliest ?? sql`true`} and ${latest ?? sql`true`})`;
}

type ActivityQuery = Parameters<ActivityLog['list']>[1];
type Period = NonNullable<ActivityQuery['period']>;

/** The condition of the index `activity_without_orders`, word for word. */
const WITHOUT_ORDERS = sql<boolean>`kind not in ('order-delivered', 'download-completed')`;
