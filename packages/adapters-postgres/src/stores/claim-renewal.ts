/**
 * How long a claim outlives the process that holds it. The database's clock measures it, the one clock all
 * share.
 */
export const CLAIM_SECONDS = 15;
const RENEW_EVERY_MS = 5_000;

/** What is claimed, by its ids, and the claim's own id. */
export interface Claim {
  readonly of: readonly string[];
  readonly claimId: string;
}

/**
 * The claims of this process, renewed until they are dropped: a slow mail server cannot cost one, a crash
 * does. `renew` answers whether the claim was still held.
 */
export function createClaims(renew: (claim: Claim) => Promise<boolean>) {
  const held = new Map<string, { readonly claimId: string; readonly timer: NodeJS.Timeout }>();

  const drop = (of: readonly string[]): void => {
    clearInterval(held.get(keyOf(of))?.timer);
    held.delete(keyOf(of));
  };

  return {
    keep: (claim: Claim): void => {
      drop(claim.of);
      const timer = setInterval(() => {
        // What cannot be renewed now is tried at the next turn; by then it may be somebody else's.
        renew(claim).then(
          (stillHeld) => {
            if (!stillHeld) clearInterval(timer);
          },
          () => undefined,
        );
      }, RENEW_EVERY_MS);
      timer.unref();
      held.set(keyOf(claim.of), { claimId: claim.claimId, timer });
    },
    find: (of: readonly string[]): string | null => held.get(keyOf(of))?.claimId ?? null,
    drop,
  };
}

function keyOf(of: readonly string[]): string {
  return of.join(' ').toLowerCase();
}
