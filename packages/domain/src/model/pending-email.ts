/** `pending`: not yet taken by the mail server. `refused`: given up. */
export type EmailStatus = 'pending' | 'sent' | 'refused';

/** What every e-mail that was taken for sending has, beside what it is to say. */
export interface PendingEmailFacts {
  readonly id: string;
  /** Since when it is tried: since it came to be, or since it was last asked for again. */
  readonly pendingSince: Date;
  /** Tries that failed before. */
  readonly attempts: number;
}
