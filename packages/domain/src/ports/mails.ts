import type { InvitationMail } from '../access/invitation.ts';
import type { SignInMail } from '../access/sign-in.ts';
import type { AlertMail, AlertMailClaim } from '../alerts/alert-mail.ts';
import type { LinkMail, LinkMailClaim, LinkMailOutcome, NewLinkMail } from '../downloads/link-mail.ts';
import type { ActivityEntry } from '../fulfilment/plan.ts';
import type { ClaimEnd, LapsedClaim } from '../receipts/mail-claim.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { Mailing, NewMailing } from '../receipts/mailing.ts';
import type { MailAnswer, ReceiptMail } from '../receipts/receipt.ts';
import type { ReceiptClaim, ReceiptOutcome } from '../receipts/receipt-claim.ts';

/**
 * The receipts that are owed, and what mail servers said to them.
 *
 * Every claim has an id of its own, and whatever is said of a mail names its claim. A claim is held until it ends or
 * somebody else takes the mail. It lapses `CLAIM_LASTS_MS` after the process that holds it died or stood still; from then
 * on others may take the mail, and a late answer under the former claim changes nothing. Whoever claims a mail begins to
 * send it only while `maySend`: what is left of the claim is measured by the sender's own clock, from when it asked. The
 * mail server may be slow, so that is looked at again just before it gets the mail (`Mailer`).
 */
export interface Receipts {
  /**
   * Takes the receipt for sending, if it is owed and due, and gives its links (of each purchase the newest) their 48
   * hours anew. The claim holds until `settle` or `release`, and lapses by itself within 20 seconds when the process that
   * holds it dies.
   */
  claim(orgId: string, receiptId: string, now: Date): Promise<ReceiptClaim>;
  /**
   * Ends a claim. With the receipt, it settles every open (pending and decided) delivery that waits for it: `sent`
   * makes them a success once every receipt of theirs is sent, also those that were an error for a receipt;
   * `refused` an error; `try-again` leaves them pending with the reason, and queues the next try; `postponed` does, too,
   * but counts no try, and the patience with the mail server begins anew by then. `refused` is an alert.
   */
  settle(orgId: string, receiptId: string, claimId: string, outcome: ReceiptOutcome): Promise<ClaimEnd>;
  /** Gives a claim back, as if the receipt had not been taken. One that is not held any more is nobody's to give back. */
  release(orgId: string, receiptId: string, claimId: string): Promise<void>;
}

/** Mailing again what was mailed, or should have been. */
export interface Mailings {
  find(orgId: string, purchaseId: string): Promise<Mailing | null>;
  /**
   * Makes an owed receipt due at the entry's time, as if no try had failed, queues its job, and adds the entry, as one.
   * `due`: it was so already, and nothing is changed.
   */
  hasten(
    orgId: string,
    receiptId: string,
    entry: ActivityEntry,
  ): Promise<'queued' | 'due' | 'changed-meanwhile'>;
  /**
   * Applies the whole mailing or none of it: the purchases move to the new receipt and its customer, and entries of
   * the log that were an error for the former receipt wait for the new one. The former receipt, if owed, is not sent.
   * Answers `changed-meanwhile`, with nothing applied, when what it rests on has changed.
   */
  renew(mailing: NewMailing): Promise<'queued' | 'changed-meanwhile'>;
}

/** Mails with new links that buyers asked for. Each is kept only until it is settled. Global by nature. */
export interface LinkMails {
  /**
   * Adds the link, its activity entry, and the mail that brings it with its job, as one. While a mail for this purchase
   * is owed, that one is made due at once instead, and nothing is added. `revoked`: the newest link of the purchase is,
   * so it gets no new one.
   */
  requestOne(request: NewLinkMail): Promise<'queued' | 'revoked'>;
  /**
   * Owes a mail with new links for everything bought with the address (folded), with its job; while one is owed to that
   * address, it is made due at once instead. Whether anything was bought is not looked at, so that known and unknown
   * addresses cannot be told apart.
   */
  requestAll(request: { readonly mailId: string; readonly email: string; readonly at: Date }): Promise<void>;
  /**
   * Takes the mail for sending, if it is owed and due. The first time, one for an address makes its links: one for each
   * of the newest `LINKS_PER_MAIL` purchases, but none where the newest link is revoked. Gives the mail's links their
   * 48 hours anew, and leaves out those revoked meanwhile; a mail that has none left is settled. Claims hold,
   * lapse and end as those of receipts do.
   */
  claim(mailId: string, now: Date, newLinkId: () => string): Promise<LinkMailClaim>;
  /** Ends a claim. After `done` nothing is kept of the mail; the others queue the next try, which `postponed` does not count. */
  settle(mailId: string, claimId: string, outcome: LinkMailOutcome): Promise<ClaimEnd>;
  release(mailId: string, claimId: string): Promise<void>;
}

/**
 * Alerts come to be in the step that gives cause to them: `record`, `commit` and a receipt's `settle`. The key of what
 * they are about and their cause lets each be told once, for ever. One that is new joins the organisation's mail that
 * collects, or begins one and queues its job.
 */
export interface Alerts {
  /**
   * Takes a mail for sending if its time has come, to the organisation's alert address or else its owners'. Claims hold,
   * lapse and end as those of receipts do.
   *
   * Of a mail that collects, `whenToMail` says its time. It is closed then, and `judgeAlerts` says with what: ripe alerts
   * that are true no longer are forgotten, keys and all. Those that are too young begin the next mail, with a job of its
   * own. While none is left to tell, nothing is closed; a mail that has lost all of its alerts is `settled`.
   */
  claim(orgId: string, mailId: string, now: Date): Promise<AlertMailClaim>;
  /**
   * Ends a claim. `try-again` queues the next try, as `postponed` does without counting one, and with the patience begun
   * anew by then; `refused` is written into the activity log, for somebody to see.
   */
  settle(orgId: string, mailId: string, claimId: string, outcome: ReceiptOutcome): Promise<ClaimEnd>;
  release(orgId: string, mailId: string, claimId: string): Promise<void>;
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
export type LimitedMailer = {
  readonly [Send in Exclude<keyof Mailer, 'sendSignInLink'>]: (
    mail: Parameters<Mailer[Send]>[0],
    claim: MailClaim,
  ) => Promise<MailAnswer | PostponedMail | LapsedClaim>;
} & {
  /** Nobody claims a sign-in: whoever finds it open mails it. */
  readonly sendSignInLink: (mail: SignInMail) => Promise<MailAnswer | PostponedMail>;
};

/** Under what a mail is sent: the id of its claim, and when that was asked for. */
export interface MailClaim {
  readonly claimId: string;
  readonly askedAt: Date;
}

/**
 * Hands mails to a mail server, and says in one word what came of it. A mail that is sent under a claim is called off at
 * the last moment, and is to be tried again, when the claim may be somebody else's by then. A mail without a claim has
 * none to lose.
 */
export interface Mailer {
  /**
   * Never rejects for what a mail server does. A crash between the server's acceptance and `settle` can mail a
   * receipt twice: both copies carry the same Message-ID, made from the receipt's id.
   */
  sendReceipt(mail: ReceiptMail, claim?: MailClaim): Promise<MailAnswer>;
  /** As `sendReceipt`, for a link into the dashboard. */
  sendSignInLink(mail: SignInMail): Promise<MailAnswer>;
  /** As `sendReceipt`, for the link by which an invitation is accepted. */
  sendInvitation(mail: InvitationMail, claim?: MailClaim): Promise<MailAnswer>;
  /** The same promises, by the mail's own id. */
  sendLinkMail(mail: LinkMail, claim?: MailClaim): Promise<MailAnswer>;
  /** The same for a mail of alerts; its Message-ID is made from the mail's id. */
  sendAlerts(mail: AlertMail, claim?: MailClaim): Promise<MailAnswer>;
}
