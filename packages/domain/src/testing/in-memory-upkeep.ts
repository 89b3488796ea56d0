import type { Job, Rerun } from '../fulfilment/job.ts';
import type { Upkeep } from '../ports.ts';
import { heldUntil } from './in-memory-claims.ts';
import type { Memory } from './memory.ts';
import { jobKey } from './memory.ts';

export function createInMemoryUpkeep(memory: Memory): Upkeep {
  const putBack = (jobs: readonly Job[]): number => {
    const queued = new Set([...memory.jobs.values()].map(subjectOf));
    const lost = jobs.filter((job) => !queued.has(subjectOf(job)));
    for (const job of lost) memory.jobs.set(jobKey(job), job);
    return lost.length;
  };
  return {
    putBackLostJobs: async (before, at) => ({
      deliveries: putBack(
        [...memory.deliveries.values()]
          .filter(({ status, decidedAt }) => status === 'pending' && decidedAt === null)
          .filter(({ receivedAt }) => receivedAt < before)
          .map(({ id, orgId, attempts }) => ({
            kind: 'fulfil-delivery',
            orgId,
            deliveryId: id,
            attempts,
            startAfter: at,
          })),
      ),
      receipts: putBack(
        [...memory.receipts.values()]
          .filter(({ status, nextTryAt }) => status === 'owed' && nextTryAt < before)
          .filter((receipt) => heldUntil(receipt, at) === null)
          .map(({ id, orgId }) => ({ kind: 'send-receipt', orgId, receiptId: id, startAfter: at })),
      ),
      alertMails: putBack(
        [...memory.alertMails.values()]
          .filter(({ status }) => status === 'collecting' || status === 'owed')
          .filter((mail) => mail.nextTryAt < before && heldUntil(mail, at) === null)
          .map(({ id, orgId }) => ({ kind: 'send-alerts', orgId, mailId: id, startAfter: at })),
      ),
      linkMails: putBack(
        [...memory.linkMails.values()]
          .filter((mail) => mail.nextTryAt < before && heldUntil(mail, at) === null)
          .map(({ id }) => ({ kind: 'send-link-mail', mailId: id, startAfter: at })),
      ),
      invitations: putBack(
        [...memory.invitations.values()]
          .filter(({ mail, acceptedAt, expiresAt }) => {
            return mail.status === 'owed' && acceptedAt === null && expiresAt > at;
          })
          .filter((row) => row.nextTryAt < before && heldUntil(row, at) === null)
          .map(({ id, orgId }) => ({ kind: 'send-invitation', orgId, invitationId: id, startAfter: at })),
      ),
      signInLinks: putBack(
        [...memory.signIns.values()]
          .filter(({ mailOwed, redeemed, withdrawn }) => mailOwed && !redeemed && !withdrawn)
          .filter(({ createdAt, expiresAt }) => createdAt < before && expiresAt > at)
          .map(({ id }) => ({ kind: 'send-sign-in-link', signInId: id, startAfter: at })),
      ),
      reruns: putBack(
        owedReruns(memory)
          .filter(({ startAfter }) => startAfter < before)
          .map((rerun) => ({ ...rerun, startAfter: at })),
      ),
    }),
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

/** Forgets those that can't be. */
function owedReruns({ reruns, deliveries, bodies }: Memory): readonly Rerun[] {
  for (const [key, { deliveryId, attempts }] of reruns) {
    const entry = deliveries.get(deliveryId);
    if (entry?.attempts !== attempts || !bodies.get(entry.bodyId)) reruns.delete(key);
  }
  return [...reruns.values()];
}

/** What a job is about, however often it was queued. */
function subjectOf({ startAfter: _startAfter, ...job }: Job): string {
  return JSON.stringify(job);
}
