import type { Customer, Plan, Purchase } from '@handover/domain';
import { normalizeEmail, wordsToFind } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { sendHeld, WITH_NEXT } from '../../../database/transact.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { insertEntries } from '../audit/insert-activity.ts';
import { CLAIM_SECONDS } from '../email/claims.ts';

/** Gives up the transaction. */
export type Refuse = () => never;

/** The purchases of an order, with receipt, links and activity. */
type Bought = Pick<Plan, 'receipt' | 'purchases' | 'links' | 'activity'> & {
  readonly delivery?: Pick<Plan['delivery'], 'id'>;
};

/** A named part of a statement, as in `with name as (…)`. */
type Part = RawBuilder<unknown>;

/** Gives up the transaction unless `isRight` returns true. It may be called only after the statements held back were answered. */
export type Check = (isRight: () => boolean) => Promise<void>;

/** A check that sends the statements held back, to call `isRight` at once. */
export function checkNow(trx: Trx, refuse: Refuse): Check {
  return async (isRight) => {
    await sendHeld(trx);
    if (!isRight()) refuse();
  };
}

/**
 * Checks that no other transaction made one of the purchases first. Two statements insert all of it, because what
 * depends on a purchase can be inserted only if the purchase was. `beside` is done in the first one, `dependent` in the
 * second.
 */
export async function insertBought(
  trx: Trx,
  orgId: string,
  bought: readonly Bought[],
  check: Check,
  {
    beside = [],
    dependent = [],
    claimIds = new Map(),
  }: {
    readonly beside?: readonly Part[];
    readonly dependent?: readonly Part[];
    /** The claims of receipts that are inserted as claimed, by their ids. */
    readonly claimIds?: ReadonlyMap<string, string>;
  } = {},
): Promise<void> {
  const purchases = bought.flatMap(({ purchases: sold, delivery }) =>
    sold.map((purchase) => ({ ...purchase, deliveryId: delivery?.id ?? null })),
  );
  const { rows } = await sql`${sql.raw(WITH_NEXT)}
      with ${sql.join([sql`receipt as (${insertReceipts(orgId, bought, claimIds)})`, ...beside])}
      ${insertPurchases(orgId, purchases)}
    `.execute(trx);
  await check(() => rows.length === purchases.length);
  const entries = insertEntries(
    orgId,
    bought.flatMap(({ activity }) => activity),
  );
  const links = insertLinkRows(
    orgId,
    bought.flatMap((sale) => sale.links),
  );
  await sql`${sql.raw(WITH_NEXT)} with ${sql.join([sql`entry as (${entries})`, ...dependent])} ${links}`.execute(
    trx,
  );
}

/** Checks that no other transaction added one of the customers' addresses first. */
export async function insertNewCustomers(
  trx: Trx,
  orgId: string,
  customers: readonly Customer[],
  check: Check,
): Promise<void> {
  const added = await insertCustomers(trx, orgId, customers);
  if (customers.length > 0) await check(() => added().size === customers.length);
}

/**
 * The returned function tells which customers were added, once the statements held back were answered. Another transaction added
 * the addresses of the others first.
 */
export async function insertCustomers(
  trx: Trx,
  orgId: string,
  customers: readonly Customer[],
): Promise<() => ReadonlySet<string>> {
  if (customers.length === 0) return () => new Set();
  const sorted = sortBy(
    customers.map((customer) => ({
      ...customer,
      normalizedEmail: normalizeEmail(customer.email),
      words: wordsToFind(`${customer.name} ${customer.email}`).join(' '),
    })),
    ({ normalizedEmail }) => normalizedEmail,
  );
  const { rows } = await sql<{ readonly id: string }>`${sql.raw(WITH_NEXT)}
      insert into customers (org_id, id, email, email_normalized, name, search_words, created_at)
      select ${orgId}::uuid, customer.*
      from ${unnestRows(sorted).as(`customer (
        id uuid, email text, normalized_email text, name text, words text, created_at timestamptz
      )`)}
      on conflict (org_id, email_normalized) do nothing
      returning id
    `.execute(trx);
  return () => {
    const added = new Set(rows.map(({ id }) => id));
    // In the caller's spelling of the ids.
    return new Set(customers.map(({ id }) => id).filter((id) => added.has(id.toLowerCase())));
  };
}

function insertReceipts(
  orgId: string,
  bought: readonly Bought[],
  claimIds: ReadonlyMap<string, string>,
): Part {
  const receipts = bought.flatMap(({ receipt, delivery, purchases: [sale] }) =>
    receipt
      ? {
          ...receipt,
          connectionId: sale?.connectionId ?? null,
          orderId: sale?.orderId ?? null,
          orderNumber: sale?.orderNumber ?? null,
          deliveryId: delivery?.id ?? null,
          claimId: claimIds.get(receipt.id.toLowerCase()) ?? null,
        }
      : [],
  );
  return sql`
      insert into outgoing_emails (
        org_id, id, kind, customer_id, language, connection_id, order_id, order_number, delivery_id,
        pending_since, next_try_at, created_at, claim_id, claimed_until
      )
      select
        ${orgId}::uuid, id, 'receipt', customer_id, language, connection_id, order_id, order_number, delivery_id,
        created_at, created_at, created_at,
        claim_id, case when claim_id is not null then now() + make_interval(secs => ${CLAIM_SECONDS}) end
      from ${unnestRows(receipts).as(`receipt (
        id uuid, customer_id uuid, language text, connection_id uuid, order_id text, order_number text,
        delivery_id uuid, created_at timestamptz, claim_id uuid
      )`)}
    `;
}

/**
 * The unique key of order and product decides who won. A transaction that lost one of its purchases lost all of them.
 * What a test order buys is marked as a test.
 */
function insertPurchases(
  orgId: string,
  purchases: readonly (Purchase & { readonly deliveryId: string | null })[],
): Part {
  const sorted = sortBy(
    purchases,
    ({ connectionId, orderId, productId }) => `${connectionId} ${orderId} ${productId}`,
  );
  return sql`
      insert into purchases (
        org_id, id, customer_id, product_id, version_id, amount, currency, payment_method, source,
        connection_id, order_id, order_number, receipt_id, created_at, is_test
      )
      select
        ${orgId}::uuid, id, customer_id, product_id, version_id, amount, currency, payment_method, source,
        connection_id, order_id, order_number, receipt_id, created_at,
        exists (
          select from deliveries
          where org_id = ${orgId} and deliveries.id = purchase.delivery_id and is_test
        )
      from ${unnestRows(sorted).as(`purchase (
        id uuid, customer_id uuid, product_id uuid, version_id uuid, amount numeric, currency text,
        payment_method text, source text, connection_id uuid, order_id text, order_number text,
        receipt_id uuid, created_at timestamptz, delivery_id uuid
      )`)}
      on conflict (org_id, connection_id, order_id, product_id) do nothing
      returning id
    `;
}

export async function insertLinks(trx: Trx, orgId: string, links: Plan['links']): Promise<void> {
  if (links.length > 0) await insertLinkRows(orgId, links).execute(trx);
}

function insertLinkRows(orgId: string, links: Plan['links']): Part {
  return sql`
      insert into download_links (org_id, id, purchase_id, created_at, expires_at)
      select ${orgId}::uuid, link.*
      from ${unnestRows(links).as(`link (
        id uuid, purchase_id uuid, created_at timestamptz, expires_at timestamptz
      )`)}
    `;
}

/** Every insert sorts its rows in the same way, to avoid deadlocks. */
function sortBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
