import type { BulkActions } from '../ports/bulk-actions.ts';
import { type Memory, queueJobs } from './memory.ts';

export function createInMemoryBulkActions(memory: Memory): BulkActions {
  const { bulkActions } = memory;
  const keyOf = (orgId: string, id: string) => `${orgId} ${id}`;
  const find = (orgId: string, id: string) => bulkActions.get(keyOf(orgId, id)) ?? null;
  return {
    begin: async (run) => {
      const { orgId, id, query } = run;
      if (find(orgId, id) || !memory.organisations.has(orgId)) return false;
      bulkActions.set(keyOf(orgId, id), run);
      if (query) queueJobs(memory, [{ kind: 'run-bulk-action', orgId, bulkId: id, startAfter: run.askedAt }]);
      return true;
    },
    find: async (orgId, id) => find(orgId, id),
    hold: async (orgId, id) => find(orgId, id),
    advance: async (orgId, id, { place, seen, counts, endedAt }) => {
      const run = find(orgId, id);
      const { createdAt, id: last } = place;
      if (run)
        bulkActions.set(keyOf(orgId, id), { ...run, place: { createdAt, id: last }, seen, counts, endedAt });
    },
    cancel: async (orgId, id, { at, by }) => {
      const run = find(orgId, id);
      if (!run || run.endedAt !== null) return false;
      bulkActions.set(keyOf(orgId, id), { ...run, endedAt: at, cancelledBy: by });
      return true;
    },
  };
}
