import type { Rule } from './safety.ts';

/** Once faults have ended, everything completes within this time of the simulation. */
export const COMPLETE_WITHIN_MS = 6 * 60 * 60 * 1000;

/** Longer than the pause after any number of failures. */
const OVERDUE_AFTER_MS = 5 * 60 * 1000;

/** The rules at the end. */
export const LIVENESS_RULES: Readonly<Record<string, Rule>> = {
  'nothing is pending': ({ memory }, isSeen) => {
    for (const { id, status, decidedAt } of memory.deliveries.values()) {
      isSeen();
      if (status === 'pending') return `${id}, ${decidedAt === null ? 'not decided' : 'decided'}`;
    }
    return null;
  },

  'no e-mail is pending': ({ memory, scheduler }, isSeen) => {
    for (const { id, kind, status } of memory.emails.values()) {
      isSeen();
      if (status === 'pending' && !isOver(memory.invitations.get(id), scheduler.now()))
        return `${kind} ${id}`;
    }
    return null;
  },

  'no job is left that was due': ({ memory, scheduler, trace }, isSeen) => {
    if (trace.counts.has('job: send-email')) isSeen();
    const longAgo = scheduler.now() - OVERDUE_AFTER_MS;
    for (const job of memory.jobs.values()) {
      if (job.startAfter.getTime() < longAgo) return `${job.kind}, due at ${job.startAfter.toISOString()}`;
    }
    return null;
  },

  'no bulk action is under way': ({ memory, trace }, isSeen) => {
    if (trace.counts.has('job: run-bulk-action')) isSeen();
    return [...memory.bulkActions.values()].find(({ endedAt }) => endedAt === null)?.id ?? null;
  },

  'no release is under way': ({ memory, trace }, isSeen) => {
    if (trace.counts.has('job: release-entries')) isSeen();
    for (const key of memory.releases.keys()) return key;
    return null;
  },

  'nothing is held for a subscription that lasts': ({ memory, scheduler }, isSeen) => {
    for (const { id, orgId, heldFor } of memory.deliveries.values()) {
      const end = memory.organisations.get(orgId)?.subscriptionExpiresAt ?? null;
      if (end !== null && end.getTime() <= scheduler.now()) continue;
      isSeen();
      if (heldFor === 'subscription') return id;
    }
    return null;
  },

  'every paid order that can be delivered is delivered': ({ ledger, memory }, isSeen) => {
    for (const { sale, stage, deliveryIds } of ledger.acknowledged) {
      if (stage !== 'paid' || sale.email === null) continue;
      for (const id of deliveryIds) {
        const entry = memory.deliveries.get(id);
        if (!entry) continue;
        isSeen();
        if (entry.status === 'error' && entry.lines.length === 0 && entry.decidedAt === null) return id;
      }
    }
    return null;
  },
};

/** No mail is sent for an invitation that was accepted or has expired. */
function isOver(
  invitation: { readonly acceptedAt: Date | null; readonly expiresAt: Date } | undefined,
  now: number,
): boolean {
  return (
    invitation !== undefined && (invitation.acceptedAt !== null || invitation.expiresAt.getTime() <= now)
  );
}
