import type { CommitAnswer, DeliveryLine, Job, PendingReceipt, Plan } from '@handover/domain';
import { normalizeSku } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { columnsOf } from '../../../statements/columns-of.ts';
import { type MailsAtOnce, NO_MAILS } from '../email/mail-at-once.ts';
import { readReceipts } from '../email/prepare-receipts.ts';
import { raiseAlerts } from '../email/raise-alert.ts';
import { insertBought, insertCustomers } from './insert-bought.ts';
import { findRefusal, type LockedFacts, lockFacts } from './lock-facts.ts';
import { queueResolving } from './queue-resolving.ts';

type Refuse = () => never;

/** The outcome of each plan, in order, and the jobs that are due after the commit. */
export interface AppliedPlans {
  readonly answers: readonly CommitAnswer[];
  readonly due: readonly Job[];
  /** What the receipts say that are mailed at once, by id. To be asked after the commit. */
  receipts(): ReadonlyMap<string, PendingReceipt>;
}

/**
 * Applies plans of one organisation within the transaction, with a constant number of statements. Plans whose facts
 * changed are left out, and nothing of them is written. `refuse` aborts all plans if it is unclear which one caused a
 * conflict. No two of the plans may share an entry, an order, a receipt or a new customer.
 *
 * Every transaction locks rows in this order, to avoid deadlocks: the catalogue, receipts by id, deliveries by id,
 * then what is inserted: customers by address, purchases by order and product, their dependent rows, alerts by key.
 * The facts of a plan are locked before they are compared, in the mode in which they are going to be written:
 * upgrading a lock later would deadlock any two plans for one order.
 */
export async function applyPlans(
  trx: Trx,
  jobs: JobOutbox,
  plans: readonly Plan[],
  refuse: Refuse,
  mails = NO_MAILS,
): Promise<AppliedPlans> {
  const orgId = plans[0]?.orgId ?? '';
  const facts = await lockFacts(trx, orgId, plans);
  const refusals = plans.map((plan) => findRefusal(plan, facts));
  const standing = plans.filter((_, at) => refusals[at] === null);
  const added = await insertCustomers(
    trx,
    orgId,
    standing.flatMap(({ customer }) => customer ?? []),
  );
  // Another transaction added the address first: nothing else of this plan is written yet.
  const winners = new Set(standing.filter(({ customer }) => !customer || added.has(customer.id)));
  const { due, receipts } =
    winners.size > 0
      ? await applyAll(trx, jobs, { orgId, plans: [...winners], facts, mails }, refuse)
      : { due: [], receipts: () => new Map() };
  const answers = plans.map(
    (plan, at) => refusals[at] ?? (winners.has(plan) ? 'committed' : 'changed-meanwhile'),
  );
  return { answers, due, receipts };
}

/** Plans that can be applied: their facts are locked, and their customers exist. */
interface Standing {
  readonly orgId: string;
  readonly plans: readonly Plan[];
  readonly facts: LockedFacts;
  readonly mails: MailsAtOnce;
}

async function applyAll(
  trx: Trx,
  jobs: JobOutbox,
  standing: Standing,
  refuse: Refuse,
): Promise<Pick<AppliedPlans, 'due' | 'receipts'>> {
  const { orgId, plans, mails } = standing;
  await resendReceipts(trx, standing);
  await forgetLines(trx, standing);
  await insertBought(trx, orgId, plans, refuse, {
    beside: [sql`decided as (${decideDeliveries(standing)})`],
    dependent: [sql`line as (${insertLines(standing)})`, sql`name as (${insertNames(standing)})`],
    claimIds: mails.claimIds,
  });
  await raiseAlerts(
    trx,
    jobs,
    orgId,
    plans.flatMap(({ alert }) => alert ?? []),
  );
  const wanted = plans.flatMap((plan) => plan.jobs);
  if (wanted.length > 0) await jobs.enqueue(trx, wanted, mails.reservation);
  const made = plans.flatMap(({ receipt }) => receipt?.id.toLowerCase() ?? []);
  const receipts = await readReceipts(
    trx,
    orgId,
    made.filter((id) => mails.claimIds.has(id)),
  );
  const resolving = await queueResolving(trx, jobs, orgId, plans);
  await jobs.forget(
    trx,
    orgId,
    plans.map(({ delivery }) => delivery.id),
  );
  const isReserved = new Set(mails.reservation.jobs);
  return { due: [...wanted.filter((job) => !isReserved.has(job)), ...resolving], receipts };
}

async function resendReceipts(trx: Trx, { orgId, plans }: Standing): Promise<void> {
  const resent = plans.flatMap(({ resend, delivery }) =>
    resend.map((id) => ({ id, at: delivery.decidedAt })),
  );
  if (resent.length === 0) return;
  const column = columnsOf(resent);
  await sql`
      update outgoing_emails set status = 'pending', attempts = 0, pending_since = resent.at, next_try_at = resent.at
      from unnest(${column('id')}::uuid[], ${column('at')}::timestamptz[]) as resent (id, at)
      where outgoing_emails.org_id = ${orgId} and outgoing_emails.id = resent.id
    `.execute(trx);
}

function decideDeliveries({ orgId, plans }: Standing): RawBuilder<unknown> {
  const column = columnsOf(plans.map(({ delivery }) => delivery));
  return sql`
      update deliveries
      set
        status = decided.status,
        held_for = decided.held_for,
        reason = decided.reason,
        note = decided.note,
        decided_at = decided.decided_at,
        attempts = attempts + 1
      from unnest(
        ${column('id')}::uuid[],
        ${column('status')}::text[],
        ${column('heldFor')}::text[],
        ${column('reason')}::text[],
        ${column('note')}::text[],
        ${column('decidedAt')}::timestamptz[]
      ) as decided (id, status, held_for, reason, note, decided_at)
      where deliveries.org_id = ${orgId} and deliveries.id = decided.id
    `;
}

/** An entry that was not decided before has no lines. */
async function forgetLines(trx: Trx, { orgId, plans }: Standing): Promise<void> {
  const again = plans
    .filter(({ expectedVersions }) => expectedVersions.attempts > 0)
    .map(({ delivery }) => delivery.id);
  if (again.length === 0) return;
  await sql`delete from delivery_lines where org_id = ${orgId} and delivery_id = any(${again}::uuid[])`.execute(
    trx,
  );
}

function insertLines({ orgId, plans, facts }: Standing): RawBuilder<unknown> {
  const lines = plans.flatMap(({ delivery }) =>
    delivery.lines.map((line) => {
      const skuKey = keyOf(line);
      const { platform } = facts.entries.get(delivery.id.toLowerCase()) ?? {};
      return { ...line, deliveryId: delivery.id, skuKey, platform: skuKey === null ? null : platform };
    }),
  );
  const column = columnsOf(lines);
  return sql`
      insert into delivery_lines
        (
          org_id, delivery_id, platform, position, sku, outcome, reason, product_id, purchase_id, candidate, sku_key
        )
      select ${orgId}::uuid, line.*
      from unnest(
        ${column('deliveryId')}::uuid[],
        ${column('platform')}::text[],
        ${column('position')}::integer[],
        ${column('sku')}::text[],
        ${column('outcome')}::text[],
        ${column('reason')}::text[],
        ${column('productId')}::uuid[],
        ${column('purchaseId')}::uuid[],
        ${column('candidate')}::text[],
        ${column('skuKey')}::text[]
      ) as line
    `;
}

/** Earlier entries of the order may have found the same purchase under the same name. */
function insertNames({ orgId, plans }: Standing): RawBuilder<unknown> {
  const column = columnsOf(plans.flatMap(({ purchaseAliases }) => purchaseAliases));
  return sql`
      insert into purchase_aliases (org_id, purchase_id, candidate, sku)
      select ${orgId}::uuid, name.*
      from unnest(
        ${column('purchaseId')}::uuid[],
        ${column('candidate')}::text[],
        ${column('sku')}::text[]
      ) as name
      on conflict do nothing
    `;
}

/** The key by which an unmatched line is found again; a line that has only a title has none. */
function keyOf({ outcome, candidate, sku }: DeliveryLine): string | null {
  return outcome === 'unmatched' && candidate !== null ? normalizeSku(sku) : null;
}
