/** Mail that was kept instead of sent. */
export interface Outbox {
  /** Newest first. */
  list(): Promise<readonly OutboxEntry[]>;
  /** Null when no mail has that name. */
  read(name: string): Promise<OutboxMail | null>;
}

/** A mail that was kept instead of sent, as the list shows it. */
export interface OutboxEntry {
  readonly name: string;
  readonly sentAt: Date;
  readonly to: string;
  readonly subject: string;
}

/** A mail that was kept instead of sent, whole. */
export interface OutboxMail extends OutboxEntry {
  readonly from: string;
  readonly replyTo: string | null;
  /** Empty when the mail has none. */
  readonly html: string;
  readonly text: string;
}
