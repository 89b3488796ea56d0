import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

// Whoever changes a catalogue or commits plans takes the catalogue's row before any other, so that no two of
// them can block one another for ever. The row says who is right. It does not say whose turn it is:
// PostgreSQL lets new readers join those who share a row however long a writer has been waiting for it, so
// that a shop under load could never publish anything. Advisory locks do queue in order; they stand before
// the row for fairness, and for nothing else. Each is a statement of its own, because a sharded database
// runs no such function within another statement.

/**
 * Tells every decision that is under way that it may rest on what is no longer so. False: there is no such
 * organisation.
 */
export async function moveRevision(trx: Transaction<Schema>, orgId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${TURNS}, hashtext(${orgId}::uuid::text))`.execute(trx);
  const { rows } =
    await sql`update catalogues set revision = revision + 1 where org_id = ${orgId} returning org_id`.execute(
      trx,
    );
  return rows.length > 0;
}

/** The revision as it stays until the transaction ends; null: there is no such organisation. */
export async function lockRevision(trx: Transaction<Schema>, orgId: string): Promise<string | null> {
  await sql`select pg_advisory_xact_lock_shared(${TURNS}, hashtext(${orgId}::uuid::text))`.execute(trx);
  const { rows } = await sql<{
    readonly revision: string;
  }>`select revision from catalogues where org_id = ${orgId} for share`.execute(trx);
  return rows[0]?.revision ?? null;
}

/** Our part of the space of advisory locks. */
const TURNS = 72_048;
