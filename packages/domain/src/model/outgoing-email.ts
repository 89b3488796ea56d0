import type { AlertMail, PendingAlertMail } from './alert.ts';
import type { DownloadLinkEmail, PendingDownloadLinkEmail } from './download-link-email.ts';
import type { InvitationMail, PendingInvitationMail } from './invitation.ts';
import type { PendingReceipt, ReceiptMail, SentReceipt } from './receipt.ts';
import type { NewDeviceMail, PendingNewDeviceMail, PendingSignInMail, SignInMail } from './sign-in.ts';

/** What an e-mail is for. */
export type EmailKind = EmailMessage['kind'];

/**
 * The organisation of e-mails that belong to none: new links for an address, which may be known to several shops, and
 * sign-ins, whose user may be a member of none.
 */
export const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

/** An e-mail that is to be sent now. */
export type PendingEmail =
  | PendingReceipt
  | PendingDownloadLinkEmail
  | PendingAlertMail
  | PendingInvitationMail
  | PendingSignInMail
  | PendingNewDeviceMail;

/** All that an e-mail says, ready to be laid out. `mailId` is what its Message-ID is made of. */
export type EmailMessage =
  | ReceiptMail
  | DownloadLinkEmail
  | AlertMail
  | InvitationMail
  | SignInMail
  | NewDeviceMail;

/** What became of an attempt to take an e-mail for sending. */
export type EmailClaim =
  | { readonly kind: 'claimed'; readonly claimId: string; readonly email: PendingEmail }
  /** Sent or refused already, unknown, or there is nothing to send any more. */
  | { readonly kind: 'not-pending' }
  /** Another process is at it, or its next try is yet to come: ask again at `at`. */
  | { readonly kind: 'not-now'; readonly at: Date };

/** What a try has come to. `answer`: the mail server’s words; `reason`: ours, in a sentence. */
export type EmailOutcome =
  | {
      readonly kind: 'sent';
      readonly at: Date;
      readonly answer: string;
      /** Of a receipt. A store that shows nobody what was sent need not keep it. */
      readonly content?: SentReceipt;
    }
  | { readonly kind: 'refused'; readonly at: Date; readonly answer: string; readonly reason: string }
  | {
      /** `postponed`: nobody tried, for the organisation has sent enough for now. */
      readonly kind: 'try-again' | 'postponed';
      readonly at: Date;
      readonly answer: string;
      readonly reason: string;
      readonly nextTryAt: Date;
    };
