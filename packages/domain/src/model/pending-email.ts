/** `pending`: no mail server has accepted it yet. `refused`: refused for good, or given up. */
export type EmailStatus = 'pending' | 'sent' | 'refused';

/** The facts that every claimed e-mail has besides its content. */
export interface PendingEmailFacts {
  readonly id: string;
  /** When it was created, last requested again, or last postponed: the period for retries starts then. */
  readonly pendingSince: Date;
  /** The number of failed tries. */
  readonly attempts: number;
}
