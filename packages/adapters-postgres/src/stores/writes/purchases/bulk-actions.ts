import type { BulkActions, BulkQuery, BulkRun } from '@handover/domain';
import type { Selectable } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';

export function createPostgresBulkActions(db: Db, jobs: JobOutbox): BulkActions {
  const select = (orgId: string, id: string) =>
    db.selectFrom('bulk_actions').selectAll().where('org_id', '=', orgId).where('id', '=', id);
  return {
    begin: async (run) => {
      const { orgId, id, query, askedAt: startAfter } = run;
      if (!areIds(orgId, id)) return false;
      return commitAndWake(db, jobs, async (trx, queue) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('bulk_actions')
          .values(toRow(run))
          .onConflict((conflict) => conflict.columns(['org_id', 'id']).doNothing())
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) return false;
        if (query) await queue.enqueue(trx, [{ kind: 'run-bulk-action', orgId, bulkId: id, startAfter }]);
        return true;
      });
    },
    find: async (orgId, id) => {
      if (!areIds(orgId, id)) return null;
      const row = await select(orgId, id).executeTakeFirst();
      return row ? toRun(row) : null;
    },
    hold: async (orgId, id) => {
      if (!areIds(orgId, id)) return null;
      const row = await select(orgId, id).forUpdate().executeTakeFirst();
      return row ? toRun(row) : null;
    },
    advance: async (orgId, id, { place, seen, counts, endedAt }) => {
      await db
        .updateTable('bulk_actions')
        .set({ place_at: place.createdAt, place_id: place.id, ended_at: endedAt, seen, ...counts })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .execute();
    },
    cancel: async (orgId, id, { at, by }) => {
      if (!areIds(orgId, id)) return false;
      const { numUpdatedRows } = await db
        .updateTable('bulk_actions')
        .set({ ended_at: at, cancelled_by: by })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}

function toRow(run: BulkRun): Selectable<Schema['bulk_actions']> {
  const { orgId, id, action, query, total, place, seen, counts, by, askedAt, endedAt, cancelledBy } = run;
  return {
    ...{ org_id: orgId, id, action, query: query && JSON.stringify(query), total, seen, ...counts },
    ...{ place_at: place.createdAt, place_id: place.id },
    ...{ actor: by.actor ?? null, via: by.via, via_detail: by.viaDetail ?? null },
    ...{ asked_at: askedAt, ended_at: endedAt, cancelled_by: cancelledBy },
  };
}

function toRun(row: Selectable<Schema['bulk_actions']>): BulkRun {
  return {
    id: row.id,
    orgId: row.org_id,
    action: row.action as BulkRun['action'],
    query: row.query === null ? null : readQuery(row.query),
    total: row.total,
    place: { createdAt: row.place_at, id: row.place_id },
    seen: row.seen,
    counts: { done: row.done, before: row.before, revoked: row.revoked },
    by: {
      ...(row.actor !== null && { actor: row.actor }),
      via: row.via as BulkRun['by']['via'],
      ...(row.via_detail !== null && { viaDetail: row.via_detail }),
    },
    askedAt: row.asked_at,
    endedAt: row.ended_at,
    cancelledBy: row.cancelled_by,
  };
}

/** JSON has no times. */
function readQuery(stored: string): BulkQuery {
  const { period, refundedIn, ...query } = JSON.parse(stored);
  const toDate = (text: string | null) => (text === null ? null : new Date(text));
  const toTimes = ({ from, until }: Record<'from' | 'until', string | null>) => ({
    from: toDate(from),
    until: toDate(until),
  });
  return {
    ...query,
    ...(period && { period: toTimes(period) }),
    ...(refundedIn && { refundedIn: toTimes(refundedIn) }),
  };
}
