import type { CommitAnswer, Customer, DeliveryLine, Job, PendingReceipt, Plan } from '@handover/domain';
import { normalizeSku } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { sendHeld, WITH_NEXT } from '../../../database/send-together.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { columnsOf } from '../../../statements/columns-of.ts';
import { type MailsAtOnce, NO_MAILS } from '../email/mail-at-once.ts';
import { readReceipts } from '../email/prepare-receipts.ts';
import { raiseAlerts } from '../email/raise-alert.ts';
import { type Check, checkNow, insertBought, insertCustomers, insertNewCustomers } from './insert-bought.ts';
import { findRefusal, lockFacts } from './lock-facts.ts';
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
 * Applies plans of one organisation within the transaction, with a constant number of statements that are all sent at once.
 * It assumes that the facts of each plan still hold, as they nearly always do, and calls `refuse` before the commit if one
 * does not: `applyStanding` then finds out which. No two of the plans may share an entry, an order, a receipt or a new
 * customer.
 *
 * Every transaction locks rows in this order, to avoid deadlocks: the catalogue, receipts by id, deliveries by id,
 * then what is inserted: customers by address, purchases by order and product, their dependent rows, alerts by key.
 * The facts of a plan are locked before they are compared, in the mode in which they are going to be written:
 * upgrading a lock later would deadlock any two plans for one order.
 */
export async function applyAtOnce(
  trx: Trx,
  jobs: JobOutbox,
  plans: readonly Plan[],
  refuse: Refuse,
  mails = NO_MAILS,
): Promise<AppliedPlans> {
  const orgId = plans[0]?.orgId ?? '';
  const assumed: (() => boolean)[] = [];
  const assume: Check = async (isRight) => void assumed.push(isRight);
  const facts = await lockFacts(trx, orgId, plans);
  await assume(() => plans.every((plan) => findRefusal(plan, facts()) === null));
  await insertNewCustomers(trx, orgId, listCustomers(plans), assume);
  const applied = await applyAll(trx, jobs, { orgId, plans, mails }, assume);
  await sendHeld(trx);
  if (!assumed.every((isRight) => isRight())) refuse();
  return { answers: plans.map(() => 'committed'), ...applied };
}

/**
 * Does the same step by step: plans whose facts changed are left out, and nothing of them is written. `refuse` aborts all
 * plans if it is unclear which one caused a conflict.
 */
export async function applyStanding(
  trx: Trx,
  jobs: JobOutbox,
  plans: readonly Plan[],
  refuse: Refuse,
  mails = NO_MAILS,
): Promise<AppliedPlans> {
  const orgId = plans[0]?.orgId ?? '';
  const facts = await lockFacts(trx, orgId, plans);
  await sendHeld(trx);
  const refusals = plans.map((plan) => findRefusal(plan, facts()));
  const standing = plans.filter((_, at) => refusals[at] === null);
  const added = await insertCustomers(trx, orgId, listCustomers(standing));
  await sendHeld(trx);
  // Another transaction added the address first: nothing else of this plan is written yet.
  const winners = new Set(standing.filter(({ customer }) => !customer || added().has(customer.id)));
  const { due, receipts } =
    winners.size > 0
      ? await applyAll(trx, jobs, { orgId, plans: [...winners], mails }, checkNow(trx, refuse))
      : { due: [], receipts: () => new Map() };
  const answers = plans.map(
    (plan, at) => refusals[at] ?? (winners.has(plan) ? 'committed' : 'changed-meanwhile'),
  );
  return { answers, due, receipts };
}

function listCustomers(plans: readonly Plan[]): readonly Customer[] {
  return plans.flatMap(({ customer }) => customer ?? []);
}

/** Plans whose facts are locked and whose customers are inserted. */
interface Standing {
  readonly orgId: string;
  readonly plans: readonly Plan[];
  readonly mails: MailsAtOnce;
}

async function applyAll(
  trx: Trx,
  jobs: JobOutbox,
  standing: Standing,
  check: Check,
): Promise<Pick<AppliedPlans, 'due' | 'receipts'>> {
  const { orgId, plans, mails } = standing;
  await resendReceipts(trx, standing);
  await forgetLines(trx, standing);
  await insertBought(trx, orgId, plans, check, {
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
  await sql`${sql.raw(WITH_NEXT)}
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
  await sql`${sql.raw(WITH_NEXT)}
      delete from delivery_lines where org_id = ${orgId} and delivery_id = any(${again}::uuid[])
    `.execute(trx);
}

/** The platform of a line is there to find unmatched ones by. */
function insertLines({ orgId, plans }: Standing): RawBuilder<unknown> {
  const lines = plans.flatMap(({ delivery }) =>
    delivery.lines.map((line) => ({ ...line, deliveryId: delivery.id, skuKey: keyOf(line) })),
  );
  const column = columnsOf(lines);
  return sql`
      insert into delivery_lines
        (
          org_id, delivery_id, platform, position, sku, outcome, reason, product_id, purchase_id, candidate, sku_key
        )
      select
        ${orgId}::uuid, delivery_id,
        case when sku_key is not null
          then (select platform from deliveries where org_id = ${orgId} and id = line.delivery_id) end,
        position, sku, outcome, reason, product_id, purchase_id, candidate, sku_key
      from unnest(
        ${column('deliveryId')}::uuid[],
        ${column('position')}::integer[],
        ${column('sku')}::text[],
        ${column('outcome')}::text[],
        ${column('reason')}::text[],
        ${column('productId')}::uuid[],
        ${column('purchaseId')}::uuid[],
        ${column('candidate')}::text[],
        ${column('skuKey')}::text[]
      ) as line (delivery_id, position, sku, outcome, reason, product_id, purchase_id, candidate, sku_key)
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
