import type { OrganisationChange, Organisations } from '@handover/domain';
import { sql, type Updateable } from 'kysely';
import type { Db, Schema, Trx } from '../../../database/schema.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds, FIRST_ID } from '../../../statements/ids.ts';
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

    change: async (orgId, { alertEmail, timeZone, ...values }) => {
      if (!areIds(orgId)) return 'unknown-organisation';
      return changeRow(db, orgId, {
        ...values,
        ...(alertEmail !== undefined && { alert_email: alertEmail }),
        ...(timeZone !== undefined && { time_zone: timeZone }),
      });
    },

    setDefaultCurrency: async (orgId, currency) => {
      if (!areIds(orgId)) return 'unknown-organisation';
      return runTransaction(db, async (trx) => {
        // Without this, a plan that was decided before could still commit a purchase without a currency.
        await moveRevision(trx, orgId);
        const filled = await fillCurrency(trx, orgId, currency);
        const outcome = await changeRow(trx, orgId, { currency });
        return outcome === 'unchanged' && filled > 0 ? 'changed' : outcome;
      });
    },

    setSubscription: async (orgId, expiresAt, releaseAt) =>
      areIds(orgId) ? setSubscription(db, jobs, { orgId, expiresAt, releaseAt }) : null,
  };
}

/** One statement must end within its time limit, however many purchases there are. */
const PURCHASES_AT_ONCE = 10_000;

/** Gives purchases without a currency this one, and returns their number. */
async function fillCurrency(trx: Trx, orgId: string, currency: string): Promise<number> {
  let filled = 0;
  let after = FIRST_ID;
  for (;;) {
    // As everywhere, purchases are locked by their ids, to avoid deadlocks.
    const { rows } = await sql<{ readonly id: string }>`
      with without as materialized (
        select id from purchases where org_id = ${orgId} and id > ${after} and currency is null
        order by id limit ${PURCHASES_AT_ONCE} for no key update
      )
      update purchases set currency = ${currency} where org_id = ${orgId} and id in (select id from without)
      returning id
    `.execute(trx);
    // A page lacks those that were deleted while it waited for their locks, so a short one need not be the last.
    if (rows.length === 0) return filled;
    filled += rows.length;
    const [last] = rows.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1));
    after = last ?? after;
  }
}

/** Of two equal concurrent changes, the second waits for the first, and then its condition finds nothing to change. */
async function changeRow(
  db: Db,
  orgId: string,
  values: Updateable<Schema['organisations']>,
): Promise<OrganisationChange> {
  const columns = Object.keys(values) as (keyof typeof values)[];
  const { numUpdatedRows } = await db
    .updateTable('organisations')
    .set(values)
    .where('id', '=', orgId)
    .where(({ eb, or }) => or(columns.map((name) => eb(name, 'is distinct from', values[name] as never))))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return 'changed';
  const found = await db.selectFrom('organisations').select('id').where('id', '=', orgId).executeTakeFirst();
  return found ? 'unchanged' : 'unknown-organisation';
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
function setSubscription(db: Db, jobs: JobOutbox, change: Change): Promise<number | null> {
  return commitAndWake<number | null>(db, jobs, async (trx, queue, giveUp) => {
    // Counted before the catalogue is locked, because the shop's orders wait for that lock.
    const held = change.releaseAt ? await countReleased(trx, change.orgId, SUBSCRIPTION) : 0;
    if (!(await moveRevision(trx, change.orgId))) return giveUp(null);
    await changeRow(trx, change.orgId, { subscription_expires_at: change.expiresAt });
    if (change.releaseAt) await addRelease(trx, queue, change.orgId, SUBSCRIPTION, change.releaseAt);
    return held;
  });
}
