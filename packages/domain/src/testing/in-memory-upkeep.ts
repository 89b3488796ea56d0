import type { Upkeep } from '../ports.ts';
import type { Memory } from './memory.ts';

export function createInMemoryUpkeep(memory: Memory): Upkeep {
  return {
    removeBodies: async (before, limit) => {
      const entries = [...memory.deliveries.values()];
      const open = new Set(
        entries.flatMap(({ status, bodyId }) => (status === 'pending' || status === 'held' ? [bodyId] : [])),
      );
      const old = entries
        .filter(
          ({ receivedAt, bodyId }) => receivedAt < before && !open.has(bodyId) && memory.bodies.get(bodyId),
        )
        .map(({ bodyId }) => bodyId);
      const removed = [...new Set(old)].slice(0, limit);
      for (const bodyId of removed) memory.bodies.set(bodyId, null);
      return removed.length;
    },
  };
}
