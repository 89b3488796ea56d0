import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { WITH_NEXT } from '../../../database/transact.ts';

// Every transaction that changes a catalogue or commits plans locks the catalogue's row first, to avoid deadlocks.
// The row decides whether a plan's facts still hold. It does not queue fairly: PostgreSQL lets new readers share a
// row lock while a writer waits, so a shop under load could never publish anything. Advisory locks do queue in order;
// they are taken before the row for fairness only. Each is a separate statement, because a sharded database does not
// run such a function within another statement.

/** Invalidates every plan that is being decided on the old revision. Returns false if there is no such organisation. */
export async function moveRevision(trx: Trx, orgId: string): Promise<boolean> {
  await takeTurn(trx, orgId);
  const { rows } =
    await sql`update catalogues set revision = revision + 1 where org_id = ${orgId} returning org_id`.execute(
      trx,
    );
  return rows.length > 0;
}

/** Nobody else changes the catalogue, and no plan is committed, until the transaction ends. */
export async function lockCatalogue(trx: Trx, orgId: string): Promise<void> {
  await takeTurn(trx, orgId);
  await sql`${sql.raw(WITH_NEXT)} select from catalogues where org_id = ${orgId} for update`.execute(trx);
}

/**
 * Locks the revision until the transaction ends. It is sent with the next statement, and the returned function may be called
 * after that: it returns the revision, or null if there is no such organisation.
 */
export async function lockRevision(trx: Trx, orgId: string): Promise<() => string | null> {
  await sql`${sql.raw(WITH_NEXT)} select pg_advisory_xact_lock_shared(${TURNS}, hashtext(${orgId}::uuid::text))`.execute(
    trx,
  );
  const { rows } = await sql<{
    readonly revision: string;
  }>`${sql.raw(WITH_NEXT)} select revision from catalogues where org_id = ${orgId} for share`.execute(trx);
  return () => rows[0]?.revision ?? null;
}

async function takeTurn(trx: Trx, orgId: string): Promise<void> {
  await sql`${sql.raw(WITH_NEXT)} select pg_advisory_xact_lock(${TURNS}, hashtext(${orgId}::uuid::text))`.execute(
    trx,
  );
}

/** The first key of the advisory locks. */
const TURNS = 72_048;
