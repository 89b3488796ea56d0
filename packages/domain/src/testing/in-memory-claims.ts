import { CLAIM_LASTS_MS } from '../receipts/mail-claim.ts';

/** What a mail's row keeps of its claims. `claims` counts those there were, so each has an id of its own. */
export interface Claimable {
  readonly claims: number;
  /** Null: nobody holds it. One that is past may be taken by somebody else. */
  readonly claimedUntil: Date | null;
}

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

/** Whether that claim goes on: nobody ended it, or took the mail after it lapsed. */
export function holdsClaim(row: Claimable, claimId: string): boolean {
  return row.claimedUntil !== null && claimIdOf(row) === claimId;
}

/** Until when somebody else holds what is asked for; null when it can be claimed. */
export function heldUntil({ claimedUntil }: Claimable, now: Date): Date | null {
  return claimedUntil && claimedUntil > now ? claimedUntil : null;
}

/** Gives the row's claim back, if it is still that one. */
export function releaseClaim<Row extends Claimable>(
  rows: Map<string, Row>,
  id: string,
  claimId: string,
): void {
  const row = rows.get(id);
  if (row && holdsClaim(row, claimId)) rows.set(id, { ...row, ...endClaim(row) });
}

/** Lets every claim on these rows lapse. */
export function lapseClaims<Row extends Claimable>(rows: Map<string, Row>): void {
  for (const [id, row] of rows) if (row.claimedUntil) rows.set(id, { ...row, claimedUntil: LONG_AGO });
}

const LONG_AGO = new Date(0);
