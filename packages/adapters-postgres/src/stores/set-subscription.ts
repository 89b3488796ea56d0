import type { Job } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { transact } from '../transact.ts';
import { moveRevision } from './catalogue-revision.ts';
import { queueEntries } from './queue-entries.ts';

interface Change {
  readonly orgId: string;
  readonly expiresAt: Date | null;
  readonly releaseAt: Date | null;
}

/**
 * The revision comes first. Whatever was decided while the subscription had expired is either committed by
 * then, and its held entry is found, or it is refused by its commit and decided again.
 */
export async function setSubscription(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  change: Change,
): Promise<number | null> {
  const due: Job[] = [];
  const released = await transact<number | null>(db, async (trx, giveUp) => {
    if (!(await moveRevision(trx, change.orgId))) return giveUp(null);
    await trx
      .updateTable('organisations')
      .set({ subscription_expires_at: change.expiresAt })
      .where('id', '=', change.orgId)
      .execute();
    if (!change.releaseAt) return 0;
    const released = await queueEntries(trx, jobs, {
      kind: 'fulfil-delivery',
      orgId: change.orgId,
      startAfter: change.releaseAt,
      condition: sql`held_for = 'subscription'`,
    });
    due.push(...released.due);
    return released.count;
  });
  jobs.wake(due);
  return released;
}
