import type { CommitAnswer, Customer, DeliveryLine, Job, PendingReceipt, Plan } from '@handover/domain';
import { normalizeSku } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { sendHeld, WITH_NEXT } from '../../../database/transact.ts';
import type { JobOutbox, ListRemoved } from '../../../jobs/job-outbox.ts';
import { FIRST_ID } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { type MailsAtOnce, NO_MAILS } from '../email/claim-leases.ts';
import { readReceipts } from '../email/prepare-receipts.ts';
import { raiseAlerts } from '../email/raise-alert.ts';
import {
  type Check,
  checkNow,
  insertBought,
  insertCustomers,
  insertNewCustomers,
  type Refuse,
} from './insert-bought.ts';
import { findRefusal, lockFacts } from './lock-facts.ts';

/** The outcome of each plan, in order, and the jobs that are due after the commit. */
export interface AppliedPlans {
  readonly answers: readonly CommitAnswer[];
  readonly due: readonly Job[];
  /** The contents of the receipts that are mailed at once, by id. To be called after the commit. */
  receipts(): ReadonlyMap<string, PendingReceipt>;
  /** The jobs that are not needed any more. */
  readonly removed: ListRemoved;
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
  // Without the plans whose address another transaction added first: nothing else of them is written yet.
  const winners = new Set(standing.filter(({ customer }) => !customer || added().has(customer.id)));
  const applied =
    winners.size > 0
      ? await applyAll(trx, jobs, { orgId, plans: [...winners], mails }, checkNow(trx, refuse))
      : { due: [], receipts: () => new Map(), removed: () => [] };
  const answers = plans.map(
    (plan, at) => refusals[at] ?? (winners.has(plan) ? 'committed' : 'changed-meanwhile'),
  );
  return { answers, ...applied };
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
): Promise<Omit<AppliedPlans, 'answers'>> {
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
  const removed = await jobs.removeDecided(
    trx,
    orgId,
    plans.map(({ delivery }) => delivery.id),
  );
  // The jobs of other entries. This reads first whether there are any, so all statements before it are sent with it.
  const resolving = await queueResolving(trx, jobs, orgId, plans);
  const isReserved = new Set(mails.reservation.jobs);
  return { due: [...wanted.filter((job) => !isReserved.has(job)), ...resolving], receipts, removed };
}

async function resendReceipts(trx: Trx, { orgId, plans }: Standing): Promise<void> {
  const resent = plans.flatMap(({ resend, delivery }) =>
    resend.map((id) => ({ id, at: delivery.decidedAt })),
  );
  if (resent.length === 0) return;
  await sql`${sql.raw(WITH_NEXT)}
      update outgoing_emails set status = 'pending', attempts = 0, pending_since = resent.at, next_try_at = resent.at
      from ${unnestRows(resent).as('resent (id uuid, at timestamptz)')}
      where outgoing_emails.org_id = ${orgId} and outgoing_emails.id = resent.id
    `.execute(trx);
}

function decideDeliveries({ orgId, plans }: Standing): RawBuilder<unknown> {
  const decided = plans.map(({ delivery }) => delivery);
  return sql`
      update deliveries
      set
        status = decided.status,
        held_for = decided.held_for,
        reason = decided.reason,
        note = decided.note,
        decided_at = decided.decided_at,
        attempts = attempts + 1
      from ${unnestRows(decided).as(`decided (
        id uuid, status text, held_for text, reason text, note text, decided_at timestamptz
      )`)}
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

/** The platform is stored with each line for the search for unmatched lines. */
function insertLines({ orgId, plans }: Standing): RawBuilder<unknown> {
  const lines = plans.flatMap(({ delivery }) =>
    delivery.lines.map((line) => ({ ...line, deliveryId: delivery.id, skuKey: keyOf(line) })),
  );
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
      from ${unnestRows(lines).as(`line (
        delivery_id uuid, position integer, sku text, outcome text, reason text, product_id uuid,
        purchase_id uuid, candidate text, sku_key text
      )`)}
    `;
}

/** Earlier entries of the order may have stored the same name of the same purchase. */
function insertNames({ orgId, plans }: Standing): RawBuilder<unknown> {
  const aliases = plans.flatMap(({ purchaseAliases }) => purchaseAliases);
  return sql`
      insert into purchase_aliases (org_id, purchase_id, candidate, sku)
      select ${orgId}::uuid, name.*
      from ${unnestRows(aliases).as('name (purchase_id uuid, candidate text, sku text)')}
      on conflict do nothing
    `;
}

/** The key by which an unmatched line is found; null for a line that has only a title. */
function keyOf({ outcome, candidate, sku }: DeliveryLine): string | null {
  return outcome === 'unmatched' && candidate !== null ? normalizeSku(sku) : null;
}

/**
 * Queues the other entries with an open line of the orders that these plans deliver, and returns a job to wake a worker with. A
 * plan that held another entry of such an order has committed, and is seen here: it locked the entry that was delivered (see
 * `lockFacts`). A later plan finds the new purchases, and is refused. Each page takes two statements.
 */
async function queueResolving(
  trx: Trx,
  jobs: JobOutbox,
  orgId: string,
  plans: readonly Plan[],
): Promise<readonly Job[]> {
  const delivered = plans.flatMap(({ resolves, delivery }) =>
    resolves ? { ...resolves, id: delivery.id, at: delivery.decidedAt } : [],
  );
  if (delivered.length === 0) return [];
  let due: readonly Job[] = [];
  let after = FIRST_ID;
  while (true) {
    const page = await listOpen(trx, orgId, delivered, after);
    await jobs.enqueue(trx, page);
    due = page.length > 0 ? page.slice(0, 1) : due;
    if (page.length < PAGE) return due;
    after = page.at(-1)?.deliveryId ?? FIRST_ID;
  }
}

const PAGE = 5000;

type ResolvingJob = Extract<Job, { readonly kind: 'resolve-delivery' }>;

/** A delivered entry, with its order. */
interface Delivered extends NonNullable<Plan['resolves']> {
  readonly id: string;
  readonly at: Date;
}

/** The jobs of a page of entries with an open line, in the order of their ids. */
async function listOpen(
  trx: Trx,
  orgId: string,
  delivered: readonly Delivered[],
  after: string,
): Promise<readonly ResolvingJob[]> {
  const { rows } = await sql<Omit<ResolvingJob, 'kind' | 'orgId'>>`
      select entry.id as "deliveryId", entry.attempts, delivered.at as "startAfter"
      from ${unnestRows(delivered).as(`delivered (
        connection_id uuid, order_id text, id uuid, at timestamptz
      )`)}
      cross join lateral (
        select id, attempts from deliveries
        where org_id = ${orgId}
          and connection_id = delivered.connection_id and order_id = delivered.order_id and id <> delivered.id
          and id > ${after}
          and exists (
            select from delivery_lines
            where org_id = ${orgId} and delivery_id = deliveries.id and outcome in ('held', 'unmatched')
          )
        offset 0
      ) entry
      order by entry.id
      limit ${PAGE}
    `.execute(trx);
  return rows.map((row) => ({ kind: 'resolve-delivery', orgId, ...row }));
}
