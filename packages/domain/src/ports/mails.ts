import type { ActivityEntry } from '../model/activity.ts';
import type { NewDownloadLinkEmail } from '../model/download-link-email.ts';
import type { Language } from '../model/language.ts';
import type { ClaimEnd, LapsedClaim, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { Mailing, NewMailing } from '../model/mailing.ts';
import type { EmailClaim, EmailMessage, EmailOutcome } from '../model/outgoing-email.ts';
import type { ShownReceipt } from '../model/receipt.ts';

/**
 * Every e-mail that the service sends, of whatever kind: those that are pending, and what mail servers said to them.
 *
 * Every claim has an id of its own, and whatever is said of an e-mail names its claim. A claim is held until it ends or
 * somebody else takes the e-mail; until then its process renews it. It lapses `CLAIM_LASTS_MS` after the process that holds it
 * died or stood still; from then on others may take the e-mail, and a late answer under the former claim changes nothing.
 * The holder of a claim begins to send only while `maySend`: what is left of the claim is measured by the sender's own
 * clock, from when it asked. The mail server may be slow, so that is looked at again just before it gets the mail (`Mailer`).
 */
export interface OutgoingEmails {
  /**
   * Takes the e-mail for sending, if it is pending and due, with all that it says. The claim holds until `complete` or
   * `release`, and lapses by itself within 20 seconds when the process that holds it dies. By kind:
   *
   * - A receipt gives its links (of each purchase the newest) their 48 hours anew.
   * - New links for an address are made the first time: one for each of the newest `LINKS_PER_MAIL` purchases, but none where
   *   the newest link is revoked; `newLinkId` names them. Each time they get their 48 hours anew, without those revoked
   *   meanwhile; where none is left, there is nothing to send, and nothing is kept.
   * - Of a mail that collects alerts, `whenToMail` says its time. It is closed then, and `evaluateAlerts` says with what: due
   *   alerts that are true no longer are forgotten, keys and all. Those that are too young begin the next mail, with a job of
   *   its own. While none is left to tell, nothing is closed; a mail that has lost all of its alerts is `not-pending`. It goes to
   *   the organisation's alert address or else its owners'.
   * - An invitation or a sign-in must be open.
   */
  claim(orgId: string, emailId: string, now: Date, newLinkId: () => string): Promise<EmailClaim>;
  /**
   * Ends a claim. `try-again` queues the next try; `postponed` does, too, but counts no try, and the time limit of the mail
   * server begins anew by then. By kind:
   *
   * - A receipt completes every open (pending and decided) delivery that waits for it: `sent` makes them a success once every
   *   receipt of theirs is sent, also those that were an error for a receipt (as every error is that names a purchase in its
   *   lines); `refused` an error; the others leave them pending with the reason. `refused` is an alert.
   * - Of new links and sign-ins nothing is kept after the end.
   * - Alerts that are `refused` are written into the activity log, for somebody to see.
   */
  complete(orgId: string, emailId: string, claimId: string, outcome: EmailOutcome): Promise<ClaimEnd>;
  /** Gives a claim back, as if the e-mail had not been taken. One that is not held any more is nobody's to give back. */
  release(orgId: string, emailId: string, claimId: string): Promise<void>;
}

/** Mailing again what was mailed, or should have been. */
export interface Mailings {
  find(orgId: string, purchaseId: string): Promise<Mailing | null>;
  /** Those of the purchases, each once, in the order of their first purchases; all are seen at one moment. */
  findAll(orgId: string, purchaseIds: readonly string[]): Promise<readonly Mailing[]>;
  /**
   * The receipt that carries the purchase now, with all that it says, seen at one moment. One that was sent says what it said
   * then; where that was not kept, it names of each purchase the newest link of that time. Others name the newest of all. Changes
   * nothing, and gives no link more time. Null when no mail was asked for.
   */
  showReceipt(orgId: string, purchaseId: string): Promise<ShownReceipt | null>;
  /**
   * Makes a pending receipt due at the entry's time, as if no try had failed, queues its job, and adds the entry, as one.
   * `due`: it was so already, and nothing is changed.
   */
  retryNow(
    orgId: string,
    receiptId: string,
    entry: ActivityEntry,
  ): Promise<'queued' | 'due' | 'changed-meanwhile'>;
  /**
   * Applies all of these mailings of one organisation, or none: the purchases move to the new receipts and their customers, and
   * entries of the log that were an error for a former receipt wait for the new one. A former receipt, if pending, is not sent.
   * Answers `changed-meanwhile`, with nothing applied, when what one rests on has changed. No two may be of one receipt or
   * customer that is new.
   */
  renew(mailings: readonly NewMailing[]): Promise<'queued' | 'changed-meanwhile'>;
}

/** Mails with new links that buyers asked for. */
export interface DownloadLinkEmails {
  /**
   * Adds the link, its activity entry, and the mail that brings it with its job, as one. While a mail for this purchase
   * is pending, that one is made due at once instead, in the language asked for last, and nothing is added. `revoked`: the newest link of the purchase is,
   * so it gets no new one.
   */
  requestOne(request: NewDownloadLinkEmail): Promise<'queued' | 'revoked'>;
  /**
   * Queues a mail with new links for everything bought with the address (normalized), with its job; while one is pending to that
   * address, it is made due at once instead, in the language asked for last. Whether anything was bought is not looked at, so that known and unknown
   * addresses cannot be told apart.
   */
  requestAll(request: {
    readonly mailId: string;
    readonly email: string;
    readonly language?: Language | null;
    readonly at: Date;
  }): Promise<void>;
}

/** How many mails of an organisation went out in an hour. */
export interface MailCounts {
  /**
   * Counts one mail in the hour that begins at `hour`, unless `max` were counted there before: then false. However many
   * are counted at once, none exceeds its `max`. Null: there is no maximum.
   */
  take(orgId: string, hour: Date, max: number | null): Promise<boolean>;
  /** Takes one back that was counted and did not go out. */
  giveBack(orgId: string, hour: Date): Promise<void>;
}

/**
 * A {@link Mailer} that may answer, instead of trying, that the organisation has sent enough for now, or that too little is
 * left of the claim.
 */
export interface LimitedMailer {
  send(mail: EmailMessage, claim: MailClaim): Promise<MailAnswer | PostponedMail | LapsedClaim>;
}

/** Under what a mail is sent: the id of its claim, and when that was asked for. */
export interface MailClaim {
  readonly claimId: string;
  readonly askedAt: Date;
}

/**
 * Hands mails to a mail server, and says in one word what came of it. A mail is called off at the last moment, and is to be
 * tried again, when its claim may be somebody else's by then.
 */
export interface Mailer {
  /**
   * Never rejects for what a mail server does. A crash between the server's acceptance and `complete` can mail something
   * twice: both copies carry the same Message-ID, made from the kind and `mailId`.
   */
  send(mail: EmailMessage, claim: MailClaim): Promise<MailAnswer>;
}
