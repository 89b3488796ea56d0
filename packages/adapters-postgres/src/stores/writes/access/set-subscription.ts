import type { Job } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { countReleased } from '../../reads/fulfilment/released-entries.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';
import { addRelease } from '../fulfilment/releases.ts';

const SUBSCRIPTION = { kind: 'subscription' } as const;

interface Change {
  readonly orgId: string;
  readonly expiresAt: Date | null;
  readonly releaseAt: Date | null;
}

/**
 * The revision is changed first. A plan that was decided while the subscription had expired has either been
 * committed, and its held entry is found here, or its commit is refused and it is decided again.
 */
export async function setSubscription(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  change: Change,
): Promise<number | null> {
  const due: Job[] = [];
  const released = await transact<number | null>(db, async (trx, giveUp) => {
    // Counted before the catalogue is locked, because the shop's orders wait for that lock.
    const held = change.releaseAt ? await countReleased(trx, change.orgId, SUBSCRIPTION) : 0;
    if (!(await moveRevision(trx, change.orgId))) return giveUp(null);
    await trx
      .updateTable('organisations')
      .set({ subscription_expires_at: change.expiresAt })
      .where('id', '=', change.orgId)
      .execute();
    if (change.releaseAt) due.push(await addRelease(trx, jobs, change.orgId, SUBSCRIPTION, change.releaseAt));
    return held;
  });
  jobs.wake(due);
  return released;
}
