/**
 * The answer of the mail server. `refused`: a 5xx about this recipient or message, which no retry can fix. `try-again`: any
 * other answer that is not an acceptance. `answer`: the server's own words, or a sentence of ours if it gave none.
 */
export type MailAnswer =
  | { readonly kind: 'accepted'; readonly answer: string }
  | { readonly kind: 'refused'; readonly answer: string }
  | { readonly kind: 'try-again'; readonly answer: string };

/**
 * The result of ending a claim. `not-held`: nothing was changed, because another process holds the claim, it ended before, or
 * the mail is no longer pending. `perhaps-completed`: the store lost the answer to a first call, and a second call found the
 * claim not held. So either the first call ended it, or it was lost before.
 */
export type ClaimEnd = 'completed' | 'not-held' | 'perhaps-completed';

/** The mail was not sent, because too little time of the claim is left. */
export interface ExpiredClaim {
  readonly kind: 'claim-expired';
}

/** The mail was not sent, because its organisation has reached its hourly limit. This is not a failed try. */
export interface PostponedMail {
  readonly kind: 'postponed';
  /** When it may be sent. */
  readonly until: Date;
  /** Why it is postponed: a sentence. */
  readonly answer: string;
}
