import type { World } from '../world/open-world.ts';

/** Once faults have ended, everything completes within so much time of the simulation. */
export const COMPLETE_WITHIN_MS = 3 * 60 * 60 * 1000;

/** What must hold then. */
export const LIVENESS_RULES: Readonly<Record<string, (world: World) => string | null>> = {
  'nothing is pending': ({ memory }) => {
    for (const { id, status, decidedAt } of memory.deliveries.values()) {
      if (status === 'pending') return `${id}, ${decidedAt === null ? 'not decided' : 'decided'}`;
    }
    return null;
  },

  'no e-mail is pending': ({ memory }) => {
    for (const { id, status } of memory.receipts.values()) if (status === 'owed') return `receipt ${id}`;
    for (const { id } of memory.linkMails.values()) return `links ${id}`;
    for (const { id, status } of memory.alertMails.values()) {
      if (status === 'owed' || status === 'collecting') return `alerts ${id}, ${status}`;
    }
    return null;
  },

  'every paid order that can be delivered is delivered': ({ ledger, memory }) => {
    for (const { sale, stage, deliveryIds } of ledger.acknowledged) {
      if (stage !== 'paid' || sale.email === null) continue;
      for (const id of deliveryIds) {
        const entry = memory.deliveries.get(id);
        if (!entry) continue;
        if (entry.status === 'error' && entry.lines.length === 0 && entry.decidedAt === null) return id;
      }
    }
    return null;
  },
};
