import type { ActivityEntry } from '../model/activity.ts';
import type { SeenEntry } from '../ports/fulfilment.ts';
import { jobKey, type Memory, queueJobs } from './memory.ts';

export function rerunAll(
  memory: Memory,
  orgId: string,
  seen: readonly SeenEntry[],
  entries: readonly ActivityEntry[],
): readonly string[] {
  const attempts = new Map(seen.map((one) => [one.deliveryId, one.attempts]));
  const due = entries.filter(({ subjectId: id }) => {
    const row = memory.deliveries.get(id);
    return (
      row?.orgId === orgId &&
      row.orderId !== null &&
      (row.status === 'error' || row.status === 'held') &&
      row.attempts === attempts.get(id) &&
      Boolean(memory.bodies.get(row.bodyId)) &&
      !memory.jobs.has(jobKey(jobOf(orgId, id, row.attempts, entries[0]?.at ?? row.receivedAt)))
    );
  });
  queueJobs(
    memory,
    due.map(({ subjectId, at }) => jobOf(orgId, subjectId, attempts.get(subjectId) ?? 0, at)),
  );
  for (const entry of due) memory.activity.set(entry.id, { ...entry, orgId });
  return due.map(({ subjectId }) => subjectId);
}

function jobOf(orgId: string, deliveryId: string, attempts: number, startAfter: Date) {
  return { kind: 'fulfil-delivery', orgId, deliveryId, attempts, startAfter } as const;
}
