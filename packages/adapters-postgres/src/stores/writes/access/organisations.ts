import type { Job, Organisations } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { readOrganisations } from '../../reads/access/organisations.ts';
import { countReleased } from '../../reads/fulfilment/released-entries.ts';
import { moveRevision } from '../catalogue/catalogue-revision.ts';
import { addRelease } from '../fulfilment/releases.ts';
import { insertUser } from './users.ts';

export function createPostgresOrganisations(db: Db, jobs: JobOutbox): Organisations {
  return {
    ...readOrganisations(db),

    add: (organisation, owner, ownerKey) =>
      transact<'added' | 'email-taken'>(db, async (trx, giveUp) => {
        await trx
          .insertInto('organisations')
          .values({
            id: organisation.id,
            name: organisation.name,
            email: organisation.email,
            alert_email: organisation.alertEmail,
            currency: organisation.defaultCurrency,
            language: organisation.language,
            time_zone: organisation.timeZone,
            subscription_expires_at: organisation.subscriptionExpiresAt,
            created_at: organisation.createdAt,
          })
          .execute();
        await trx.insertInto('catalogues').values({ org_id: organisation.id }).execute();
        if ((await insertUser(trx, owner, ownerKey)) === 'email-taken') giveUp('email-taken');
        return 'added';
      }),

    change: async (orgId, { name, email }) => {
      if (!areIds(orgId)) return false;
      const changed = await db
        .updateTable('organisations')
        .set({ name, email })
        .where('id', '=', orgId)
        .returning('id')
        .executeTakeFirst();
      return changed !== undefined;
    },

    setLocale: async (orgId, { language, timeZone }) => {
      if (!areIds(orgId)) return false;
      const changed = await db
        .updateTable('organisations')
        .set({ language, time_zone: timeZone })
        .where('id', '=', orgId)
        .returning('id')
        .executeTakeFirst();
      return changed !== undefined;
    },

    setDefaultCurrency: async (orgId, currency) => {
      if (!areIds(orgId)) return 'unknown-organisation';
      return runTransaction(db, async (trx) => {
        await trx
          .updateTable('purchases')
          .set({ currency })
          .where('org_id', '=', orgId)
          .where('currency', 'is', null)
          .execute();
        const changed = await trx
          .updateTable('organisations')
          .set({ currency })
          .where('id', '=', orgId)
          .returning('id')
          .executeTakeFirst();
        return changed ? 'set' : 'unknown-organisation';
      });
    },

    setAlertEmail: async (orgId, email) => {
      if (!areIds(orgId)) return 'unknown-organisation';
      const changed = await db
        .updateTable('organisations')
        .set({ alert_email: email })
        .where('id', '=', orgId)
        .returning('id')
        .executeTakeFirst();
      return changed ? 'set' : 'unknown-organisation';
    },

    setSubscription: async (orgId, expiresAt, releaseAt) =>
      areIds(orgId) ? setSubscription(db, jobs, { orgId, expiresAt, releaseAt }) : null,
  };
}

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
async function setSubscription(db: Db, jobs: JobOutbox, change: Change): Promise<number | null> {
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
