/** How long a claim holds that nobody settles. */
const CLAIM_LASTS_MS = 15_000;

export function claimUntil(now: Date): Date {
  return new Date(now.getTime() + CLAIM_LASTS_MS);
}

/** Until when somebody else holds what is asked for; null when it can be claimed. */
export function heldUntil({ claimedUntil }: { readonly claimedUntil: Date | null }, now: Date): Date | null {
  return claimedUntil && claimedUntil > now ? claimedUntil : null;
}
