import type { LapsedClaim } from '../model/mail-answer.ts';

/** How long a claim lasts after its holder stopped. The store's own clock measures it. */
export const CLAIM_LASTS_MS = 15_000;

/** So much must be left of a claim when its mail is begun: the mail server needs time, and the clocks may differ. */
export const SENDING_MARGIN_MS = 5_000;

/**
 * Whether a mail may be begun whose claim was asked for at `askedAt`, by the same clock. A process that stood still since
 * may have lost it, and so may one whose clock was set back: it can't tell.
 */
export function maySend(askedAt: Date, now: Date): boolean {
  return isClaimSure(now.getTime() - askedAt.getTime());
}

/**
 * Whether enough is left of a claim to mail under it, so many milliseconds after its last successful renewal was sent. It
 * counts from there, not from the answer: the store may have renewed the claim long before it could say so.
 */
export function isClaimSure(elapsed: number): boolean {
  return elapsed >= 0 && elapsed <= CLAIM_LASTS_MS - SENDING_MARGIN_MS;
}

/**
 * Composes and sends what was claimed. Where too little is left of the claim, nothing is sent and the answer is null; then, and when
 * that throws, the claim is given back, so that nobody waits for it to lapse.
 */
export async function sendUnderClaim<Answer extends { readonly kind: string }>(
  send: () => Promise<Answer | LapsedClaim>,
  release: () => Promise<void>,
): Promise<Answer | null> {
  const answer = await sendOrRelease();
  if (!isLapsed(answer)) return answer;
  await release();
  return null;

  async function sendOrRelease(): Promise<Answer | LapsedClaim> {
    try {
      // Within, since a mail that cannot be composed throws before there is anything to await.
      return await send();
    } catch (error) {
      // The first error says what went wrong.
      await release().catch(() => undefined);
      throw error;
    }
  }
}

function isLapsed(answer: { readonly kind: string }): answer is LapsedClaim {
  return answer.kind === 'claim-lapsed';
}
