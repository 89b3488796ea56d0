import type { Fulfilment, Job } from '@handover/domain';
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
        const due = await transact<readonly Job[] | 'changed-meanwhile'>(db, (trx, giveUp) =>
          applyPlan(trx, jobs, plan, () => giveUp('changed-meanwhile')),
        );
        if (due === 'changed-meanwhile') return due;
        jobs.wake(due);
        return 'committed';
      } catch (error) {
        if (isLostRace(error)) return 'changed-meanwhile';
        throw error;
      }
    },
  };
}
