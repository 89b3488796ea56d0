import { CLAIM_LASTS_MS } from '../email/send-email.ts';
import type { Claimable } from './rows.ts';

export const UNCLAIMED: Claimable = { claims: 0, claimedUntil: null };

export function takeClaim({ claims }: Claimable, now: Date): Claimable {
  return { claims: claims + 1, claimedUntil: new Date(now.getTime() + CLAIM_LASTS_MS) };
}

export function endClaim({ claims }: Claimable): Claimable {
  return { claims, claimedUntil: null };
}

/** The id of the latest claim. */
export function claimIdOf({ claims }: Claimable): string {
  return String(claims);
}

/** Whether the claim is still held: nobody ended it, nor claimed the mail after it expired. */
export function holdsClaim(row: Claimable, claimId: string): boolean {
  return row.claimedUntil !== null && claimIdOf(row) === claimId;
}

/** Until when somebody else holds a claim; null if the row can be claimed. */
export function heldUntil({ claimedUntil }: Claimable, now: Date): Date | null {
  return claimedUntil && claimedUntil > now ? claimedUntil : null;
}

/** Ends the row's claim, if it is still this one. */
export function releaseClaim<Row extends Claimable>(
  rows: Map<string, Row>,
  id: string,
  claimId: string,
): void {
  const row = rows.get(id);
  if (row && holdsClaim(row, claimId)) rows.set(id, { ...row, ...endClaim(row) });
}

/** A claim that was not renewed for this long has expired: it lasts fifteen seconds. */
export const CLAIM_EXPIRED_AFTER_MS = 16_000;

/** Moves the end of claims back, as if nobody had renewed them for this long. */
export function expireClaims<Row extends Claimable>(rows: Map<string, Row>, deadForMs: number): void {
  for (const [id, row] of rows) {
    const claimedUntil = row.claimedUntil && new Date(row.claimedUntil.getTime() - deadForMs);
    rows.set(id, { ...row, claimedUntil });
  }
}
