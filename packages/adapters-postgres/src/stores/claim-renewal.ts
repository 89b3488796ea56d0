import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * How long a claim outlives the process that holds it. The database's clock measures it, the one clock all
 * share.
 */
export const CLAIM_SECONDS = 15;
const RENEW_EVERY_MS = 5_000;

interface Claim {
  readonly orgId: string;
  readonly receiptId: string;
  readonly claimId: string;
}

/**
 * The claims of this process, renewed until they are dropped: a slow mail server cannot cost one, a crash
 * does.
 */
export function createClaims(db: Kysely<Schema>) {
  const held = new Map<string, { readonly claimId: string; readonly timer: NodeJS.Timeout }>();

  const drop = (orgId: string, receiptId: string): void => {
    clearInterval(held.get(keyOf(orgId, receiptId))?.timer);
    held.delete(keyOf(orgId, receiptId));
  };

  return {
    keep: (claim: Claim): void => {
      drop(claim.orgId, claim.receiptId);
      const timer = setInterval(() => {
        // What cannot be renewed now is tried at the next turn; by then it may be somebody else's.
        renewClaim(db, claim).then(
          (stillHeld) => {
            if (!stillHeld) clearInterval(timer);
          },
          () => undefined,
        );
      }, RENEW_EVERY_MS);
      timer.unref();
      held.set(keyOf(claim.orgId, claim.receiptId), { claimId: claim.claimId, timer });
    },
    find: (orgId: string, receiptId: string): string | null =>
      held.get(keyOf(orgId, receiptId))?.claimId ?? null,
    drop,
  };
}

async function renewClaim(db: Kysely<Schema>, { orgId, receiptId, claimId }: Claim): Promise<boolean> {
  const renewed = await db
    .updateTable('receipts')
    .set({ claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
    .where('org_id', '=', orgId)
    .where('id', '=', receiptId)
    .where('claim_id', '=', claimId)
    .returning('id')
    .executeTakeFirst();
  return renewed !== undefined;
}

function keyOf(orgId: string, receiptId: string): string {
  return `${orgId} ${receiptId}`.toLowerCase();
}
