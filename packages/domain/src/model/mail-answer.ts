/**
 * What the mail server said.
 * `refused` is for a 5xx about this recipient or message, which no retry can fix; everything else that is not
 * acceptance is `try-again`. `answer` is the server's own words, or ours when it said nothing.
 */
export type MailAnswer =
  | { readonly kind: 'accepted'; readonly answer: string }
  | { readonly kind: 'refused'; readonly answer: string }
  | { readonly kind: 'try-again'; readonly answer: string };

/**
 * How the end of a claim was taken. `not-held`: the claim lapsed and somebody else has it since, it ended before, or the
 * mail is not pending any more. Nothing was changed then. `perhaps-completed`: the store was asked again, since an answer of it
 * was lost, and found the claim not held; so it either ended by what was asked first, or was lost before.
 */
export type ClaimEnd = 'completed' | 'not-held' | 'perhaps-completed';

/** Too little is left of the claim to begin the mail. */
export interface LapsedClaim {
  readonly kind: 'claim-lapsed';
}

/** A mail that nobody tried to send, because its organisation has sent enough this hour. It does not count as a failed try. */
export interface PostponedMail {
  readonly kind: 'postponed';
  /** When it may go. */
  readonly until: Date;
  /** Why it waits, in a sentence. */
  readonly answer: string;
}
