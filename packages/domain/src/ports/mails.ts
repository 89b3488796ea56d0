import type { ActivityEntry } from '../model/activity.ts';
import type { NewDownloadLinkEmail } from '../model/download-link-email.ts';
import type { Language } from '../model/language.ts';
import type { ClaimEnd, ExpiredClaim, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { Mailing, NewMailing } from '../model/mailing.ts';
import type { EmailClaim, EmailMessage, EmailOutcome } from '../model/outgoing-email.ts';
import type { ShownReceipt } from '../model/receipt.ts';

/**
 * Every e-mail that the service sends, of all kinds: pending ones, and how mail servers answered the others.
 *
 * Every claim has an id of its own, and every call about a claimed e-mail names it. A claim is held until it ends or
 * another process claims the e-mail; until then its process renews it. It expires `CLAIM_LASTS_MS` after its process died
 * or froze. From then on others may claim the e-mail, and a late result under the former claim changes nothing. The
 * holder of a claim starts to send only while `maySend`: the remaining time is measured by the sender's own clock, from
 * when it asked for the claim. The mail server may be slow, so this is checked again just before it gets the mail
 * (`Mailer`).
 */
export interface OutgoingEmails {
  /**
   * Claims the e-mail for sending, if it is pending and due, and returns its content. The claim holds until `complete` or
   * `release`, and expires within 20 seconds if its process dies. By kind:
   *
   * - For a receipt, the 48 hours of its links (the newest of each purchase) start again.
   * - New links for an address are created by the first claim, with ids of `newLinkId`: one for each of the newest
   *   `LINKS_PER_MAIL` purchases, unless the newest link of a purchase is revoked. Each claim starts their 48 hours
   *   again, except for links that were revoked meanwhile. If no link is left, nothing is sent, and the e-mail is
   *   deleted.
   * - A mail that collects alerts is closed at the time that `whenToMail` gives, with the alerts that `evaluateAlerts`
   *   chooses. Due alerts that are no longer true are deleted with their keys. Alerts that are too recent start the next
   *   mail, with a job of its own. While it holds no alert to send, the mail is not closed; a mail that has lost all
   *   of its alerts is `not-pending`. It goes to the organisation's alert address, or else to its owners.
   * - An invitation or a sign-in must be open.
   */
  claim(orgId: string, emailId: string, now: Date, newLinkId: () => string): Promise<EmailClaim>;
  /**
   * Ends a claim. `try-again` queues the next try. `postponed` does so too, but counts no try, and the period for retries
   * starts again at that time. By kind:
   *
   * - A receipt updates every open (pending and decided) delivery that waits for it. `sent` makes a delivery a success
   *   once all of its receipts are sent, even if it was an error because of a receipt (every error with a purchase in its
   *   lines is). `refused` makes it an error and raises an alert. The other outcomes leave it pending with the reason.
   * - Mails with new links and sign-ins are deleted when they have ended.
   * - `refused` alerts get an entry in the activity log, so that somebody sees them.
   */
  complete(orgId: string, emailId: string, claimId: string, outcome: EmailOutcome): Promise<ClaimEnd>;
  /** Releases a claim, as if the e-mail had not been claimed. A claim that is no longer held is not changed. */
  release(orgId: string, emailId: string, claimId: string): Promise<void>;
}

/** Receipts that wait because their organisation reached its limit. */
export interface WaitingReceipts {
  /**
   * Postpones receipts of the organisation that were postponed before, are due again and are not claimed, as
   * `OutgoingEmails.complete` does, but without a claim: at most `max`, those that were due first. Returns how many.
   */
  postpone(orgId: string, now: Date, postponed: PostponedMail, max: number): Promise<number>;
}

/** Sends again what was mailed, or should have been. */
export interface Mailings {
  find(orgId: string, purchaseId: string): Promise<Mailing | null>;
  /** The mailings of the purchases, each once, in the order of their first purchases, from one snapshot. */
  findAll(orgId: string, purchaseIds: readonly string[]): Promise<readonly Mailing[]>;
  /**
   * The current receipt of the purchase with its content, from one snapshot. A sent receipt has the content that was
   * sent; if that was not stored, it has for each purchase the newest link of that time. A receipt that was not sent has
   * the newest link of all. Changes nothing, and extends no link. Null if no mail was requested.
   */
  showReceipt(orgId: string, purchaseId: string): Promise<ShownReceipt | null>;
  /**
   * Makes a pending receipt due at the entry's time, as if no try had failed, queues its job, and adds the entry,
   * atomically. `due`: it was due already, and nothing is changed.
   */
  retryNow(
    orgId: string,
    receiptId: string,
    entry: ActivityEntry,
  ): Promise<'queued' | 'due' | 'changed-meanwhile'>;
  /**
   * Applies all of these mailings of one organisation, or none. The purchases move to the new receipts and their
   * customers. Entries of the log that were an error because of a former receipt wait for the new one. A former receipt
   * that is pending is not sent. `changed-meanwhile`: the expected state of one of them has changed, and nothing is
   * applied. No two mailings may share a new receipt or a new customer.
   */
  renew(mailings: readonly NewMailing[]): Promise<'queued' | 'changed-meanwhile'>;
}

/** Mails with new links that buyers asked for. */
export interface DownloadLinkEmails {
  /**
   * Adds the link, its activity entry, and the mail with the link and its job, atomically. While a mail for this purchase
   * is pending, that mail becomes due at once instead, in the language that was requested last, and nothing is added.
   * `revoked`: the newest link of the purchase is revoked, so it gets no new one; or the purchase was deleted.
   */
  requestOne(request: NewDownloadLinkEmail): Promise<'queued' | 'revoked'>;
  /**
   * Queues a mail with new links for everything bought with the address (normalized), with its job. While a mail to that
   * address is pending, that mail becomes due at once instead, in the language that was requested last. It does not read
   * whether anything was bought, so that known and unknown addresses cannot be told apart.
   */
  requestAll(request: {
    readonly mailId: string;
    readonly email: string;
    readonly language?: Language | null;
    readonly at: Date;
  }): Promise<void>;
}

/** How many mails of an organisation were sent in an hour. */
export interface MailCounts {
  /**
   * Counts one mail in the hour that begins at `hour`. False, without counting: `max` were counted already. This also
   * holds for concurrent calls. Null: without a maximum.
   */
  take(orgId: string, hour: Date, max: number | null): Promise<boolean>;
  /** Subtracts a mail that was counted but not sent. */
  giveBack(orgId: string, hour: Date): Promise<void>;
}

/**
 * A {@link Mailer} that may refuse to try, because the organisation has sent enough for now, or because too little time
 * of the claim is left.
 */
export interface LimitedMailer {
  send(mail: EmailMessage, claim: MailClaim): Promise<MailAnswer | PostponedMail | ExpiredClaim>;
}

/** The claim under which a mail is sent: its id, and when it was requested. */
export interface MailClaim {
  readonly claimId: string;
  readonly askedAt: Date;
}

/**
 * Passes mails to a mail server, and returns how it answered. At the last moment a mail is cancelled, to be tried again,
 * if another process may hold its claim by then.
 */
export interface Mailer {
  /**
   * Never rejects because of a mail server. After a crash between the server's acceptance and `complete`, a mail can be
   * sent twice: both copies have the same Message-ID, made from the kind and `mailId`.
   */
  send(mail: EmailMessage, claim: MailClaim): Promise<MailAnswer>;
}
