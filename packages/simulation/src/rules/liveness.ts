import type { Rule } from './safety.ts';

/** Once faults have ended, everything completes within so much time of the simulation. */
export const COMPLETE_WITHIN_MS = 3 * 60 * 60 * 1000;

/** Longer than the pause after any number of failures. */
const OVERDUE_AFTER_MS = 5 * 60 * 1000;

/** What must hold then. */
export const LIVENESS_RULES: Readonly<Record<string, Rule>> = {
  'nothing is pending': ({ memory }, isSeen) => {
    for (const { id, status, decidedAt } of memory.deliveries.values()) {
      isSeen();
      if (status === 'pending') return `${id}, ${decidedAt === null ? 'not decided' : 'decided'}`;
    }
    return null;
  },

  'no receipt is pending': ({ memory }, isSeen) => {
    for (const { id, status } of memory.receipts.values()) {
      isSeen();
      if (status === 'owed') return id;
    }
    return null;
  },

  'no mail of alerts is pending': ({ memory }, isSeen) => {
    for (const { id, status } of memory.alertMails.values()) {
      isSeen();
      if (status === 'owed' || status === 'collecting') return `${id}, ${status}`;
    }
    return null;
  },

  'no mail of links is pending': ({ memory, trace }, isSeen) => {
    if (trace.counts.has('outcome: a buyer asks for a new link: mailed')) isSeen();
    for (const { id } of memory.linkMails.values()) return id;
    return null;
  },

  'no invitation waits to be mailed': ({ memory, scheduler }, isSeen) => {
    for (const { id, mail, acceptedAt, expiresAt } of memory.invitations.values()) {
      isSeen();
      const isOpen = acceptedAt === null && expiresAt.getTime() > scheduler.now();
      if (isOpen && mail.status === 'owed') return id;
    }
    return null;
  },

  'no job is left that was due': ({ memory, scheduler, trace }, isSeen) => {
    if (trace.counts.has('job: send-receipt')) isSeen();
    const longAgo = scheduler.now() - OVERDUE_AFTER_MS;
    for (const job of memory.jobs.values()) {
      if (job.startAfter.getTime() < longAgo) return `${job.kind}, due at ${job.startAfter.toISOString()}`;
    }
    return null;
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
