import { type AnsweredMail, countBytes, type Decision, SHARED_PLATFORM, type Stores } from '@handover/domain';
import type { Metrics } from './metrics.ts';

/** Stores that count what is written: entries that need no decision, and what buyers download. */
export function observeStores(stores: Stores, metrics: Metrics): Stores {
  const { deliveries, unassigned, sessions } = stores;
  return {
    ...stores,
    deliveries: {
      ...deliveries,
      record: async (recording) => {
        const outcome = await deliveries.record(recording);
        const isRefused = outcome === 'reused' && recording.proof?.whenReused.kind === 'refuse';
        if (outcome === 'gone' || isRefused) return outcome;
        for (const { platform, status } of recording.deliveries) {
          if (status !== 'pending') metrics.countDelivery(platform, status);
        }
        return outcome;
      },
    },
    unassigned: {
      ...unassigned,
      record: async (waiting, body) => {
        const ids = await unassigned.record(waiting, body);
        for (const _ of waiting) metrics.countDelivery(SHARED_PLATFORM, 'unassigned');
        return ids;
      },
    },
    sessions: {
      ...sessions,
      begin: async (...request) => {
        const id = await sessions.begin(...request);
        if (id !== null) metrics.countDownload();
        return id;
      },
      addSent: async (orgId, sessionId, sent, at) => {
        await sessions.addSent(orgId, sessionId, sent, at);
        metrics.countBytesSent(countBytes(sent.ranges));
      },
    },
  };
}

/** Counts a committed decision. */
export function countDecision(metrics: Metrics, { order, plan }: Decision): void {
  metrics.countDelivery(order.platform, plan.delivery.status);
}

/** Counts what became of a mail. */
export function countMail(metrics: Metrics, { answer, about, endedAt }: AnsweredMail): void {
  metrics.countMailAnswer(answer);
  const { receivedAt } = about?.delivery ?? {};
  if (answer.kind !== 'accepted' || !receivedAt) return;
  metrics.observeReceiptDelay((endedAt.getTime() - receivedAt.getTime()) / 1000);
}
