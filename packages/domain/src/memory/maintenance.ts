import type { Maintenance, Prunable } from '../ports/fulfilment.ts';
import { removeDismissalsOfEntries } from './dismissals.ts';
import type { Memory } from './memory.ts';

export function createInMemoryMaintenance(memory: Memory): Maintenance {
  return {
    // There are no partitions: `removeBodies` removes all old bodies.
    rotateBodies: async () => ({ made: 0, dropped: 0 }),
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
    prune: async (what, before, limit) => {
      const old = LISTS[what](memory, before).slice(0, limit);
      for (const { table, key } of old) {
        const entry = table === memory.deliveries ? memory.deliveries.get(key) : undefined;
        if (entry) removeDismissalsOfEntries(memory, entry.orgId, before);
        table.delete(key);
      }
      return old.length;
    },
  };
}

interface OldRow {
  readonly table: Map<string, unknown>;
  readonly key: string;
}

const LISTS: Readonly<Record<Prunable, (memory: Memory, before: Date) => readonly OldRow[]>> = {
  logEntries: ({ deliveries }, before) =>
    listRows(
      deliveries,
      ({ receivedAt, status }) => receivedAt < before && status !== 'pending' && status !== 'held',
    ),
  downloads: ({ sessions }, before) => listRows(sessions, ({ lastByteAt }) => lastByteAt < before),
  activity: ({ activity }, before) => listRows(activity, ({ at }) => at < before),
  idempotencyKeys: ({ idempotency, purchases }, before) =>
    listRows(idempotency, ({ sale }) => (purchases.get(sale.purchaseId)?.createdAt ?? before) < before),
  proofs: ({ proofs, connections }, before) =>
    listRows(proofs, ({ connectionId, firstSeenAt }) => {
      const { rules, secrets = [] } = connections.get(connectionId) ?? {};
      const isOver =
        rules?.strict ||
        secrets.every(
          ({ setAt, expiresAt }) => firstSeenAt < setAt || (expiresAt !== null && expiresAt < before),
        );
      return firstSeenAt < before && isOver;
    }),
  signIns: ({ signIns, userSessions }, before) =>
    [signIns, userSessions].flatMap((table) =>
      listRows<{ readonly expiresAt: Date }>(table, ({ expiresAt }) => expiresAt < before),
    ),
  mailCounts: ({ mailCounts }, before) =>
    [...mailCounts.keys()]
      .filter((key) => Number(key.split(' ')[1]) < before.getTime())
      .map((key) => ({ table: mailCounts, key })),
  throttles: ({ throttles }, before) => listRows(throttles, ({ windowEndsAt }) => windowEndsAt < before),
};

function listRows<Row>(table: ReadonlyMap<string, Row>, isOld: (row: Row) => boolean): readonly OldRow[] {
  return [...table]
    .filter(([, row]) => isOld(row))
    .map(([key]) => ({ table: table as Map<string, Row>, key }));
}
