import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

// Whoever changes a catalogue or commits a plan takes the catalogue's row before any other, so that no two of
// them can block one another for ever. The row says who is right. It does not say whose turn it is:
// PostgreSQL lets new readers join those who share a row however long a writer has been waiting for it, so
// that a shop under load could never publish anything. Advisory locks do queue in order; they stand before
// the row for fairness, and for nothing else.

/**
 * Tells every decision that is under way that it may rest on what is no longer so. False: there is no such
 * organisation.
 */
export async function moveRevision(trx: Transaction<Schema>, orgId: string): Promise<boolean> {
  const { rows } = await sql`
    with turn as materialized (select pg_advisory_xact_lock(${TURNS}, hashtext(${orgId}::uuid::text)))
    update catalogues set revision = revision + 1 from turn where org_id = ${orgId}
    returning org_id
  `.execute(trx);
  return rows.length > 0;
}

/**
 * The revision as it stays until the transaction ends; null: there is no such organisation. Takes the order's turn, too:
 * transactions of one order go on one after the other. It is taken after the catalogue's, by all, so nobody waits in a
 * circle.
 */
export async function holdRevision(
  trx: Transaction<Schema>,
  orgId: string,
  order: { readonly connectionId: string; readonly orderId: string } | null,
): Promise<string | null> {
  const turnOfOrder = order
    ? sql`pg_advisory_xact_lock(${TURNS_OF_ORDERS}, hashtext(${`${order.connectionId} ${order.orderId}`}))`
    : sql`null`;
  const { rows } = await sql<{ readonly revision: string }>`
    with turn as materialized (select pg_advisory_xact_lock_shared(${TURNS}, hashtext(${orgId}::uuid::text))),
      turn_of_order as materialized (select ${turnOfOrder} from turn)
    select revision from catalogues, turn_of_order where org_id = ${orgId}
    for share of catalogues
  `.execute(trx);
  return rows[0]?.revision ?? null;
}

/** Our part of the space of advisory locks. */
const TURNS = 72_048;
const TURNS_OF_ORDERS = 72_049;
