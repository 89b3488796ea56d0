import type { Fulfilment } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { isLostRace } from '../store-errors.ts';
import { transact } from '../transact.ts';
import { applyPlan } from './apply-plan.ts';
import { recall } from './recall.ts';

export function createPostgresFulfilment(db: Kysely<Schema>, jobs: JobOutbox): Fulfilment {
  return {
    recall: (order) => recall(db, order),

    commit: async (plan) => {
      try {
        const outcome = await transact<'committed' | 'changed-meanwhile'>(db, async (trx, giveUp) => {
          await applyPlan(trx, jobs, plan, () => giveUp('changed-meanwhile'));
          return 'committed';
        });
        if (outcome === 'committed') jobs.wake(plan.jobs);
        return outcome;
      } catch (error) {
        if (isLostRace(error)) return 'changed-meanwhile';
        throw error;
      }
    },
  };
}
