import type { Job } from '@handover/domain';
import type { Kysely, Transaction } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { transact } from '../transact.ts';
import { moveRevision } from './catalogue-revision.ts';

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
    let count = 0;
    for await (const page of listHeld(trx, change.orgId, change.releaseAt)) {
      await jobs.enqueue(trx, page);
      count += page.length;
      // To wake a worker it takes one job: he wakes the next.
      due.splice(0, 1, ...page.slice(0, 1));
    }
    return count;
  });
  jobs.wake(due);
  return released;
}

/** However many there are: a page is one query, and one more to queue its jobs. */
const PAGE = 5000;

async function* listHeld(
  trx: Transaction<Schema>,
  orgId: string,
  startAfter: Date,
): AsyncGenerator<readonly Job[], void, undefined> {
  let after: string | null = null;
  while (true) {
    const rows: readonly { readonly id: string; readonly attempts: number }[] = await trx
      .selectFrom('deliveries')
      .select(['id', 'attempts'])
      .where('org_id', '=', orgId)
      .where('held_for', '=', 'subscription')
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(PAGE)
      .execute();
    if (rows.length > 0) {
      yield rows.map(({ id: deliveryId, attempts }) => ({
        kind: 'fulfil-delivery',
        orgId,
        deliveryId,
        attempts,
        startAfter,
      }));
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? null;
  }
}
