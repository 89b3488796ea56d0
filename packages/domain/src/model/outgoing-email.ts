import type { AlertMail, PendingAlertMail } from './alert.ts';
import type { DownloadLinkEmail, PendingDownloadLinkEmail } from './download-link-email.ts';
import type { InvitationMail, PendingInvitationMail } from './invitation.ts';
import type { PendingReceipt, ReceiptMail, SentReceipt } from './receipt.ts';
import type { NewDeviceMail, PendingNewDeviceMail, PendingSignInMail, SignInMail } from './sign-in.ts';

/** The kind of an e-mail. */
export type EmailKind = EmailMessage['kind'];

/**
 * The organisation id of e-mails without an organisation: new links for an address, which several shops may know, and sign-ins of
 * users without an organisation.
 */
export const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

/** An e-mail that was claimed for sending. */
export type PendingEmail =
  | PendingReceipt
  | PendingDownloadLinkEmail
  | PendingAlertMail
  | PendingInvitationMail
  | PendingSignInMail
  | PendingNewDeviceMail;

/** The content of an e-mail, before it is formatted. Its Message-ID is made from `mailId`. */
export type EmailMessage =
  | ReceiptMail
  | DownloadLinkEmail
  | AlertMail
  | InvitationMail
  | SignInMail
  | NewDeviceMail;

/** The result of claiming an e-mail. */
export type EmailClaim =
  | { readonly kind: 'claimed'; readonly claimId: string; readonly email: PendingEmail }
  /** It was sent or refused, is unknown, or has nothing to send any more. */
  | { readonly kind: 'not-pending' }
  /** Another process holds the claim, or its next try is not due: try again at `at`. */
  | { readonly kind: 'not-now'; readonly at: Date };

/** The result of a try to send. `answer`: the mail server's words. `reason`: a sentence for people. */
export type EmailOutcome =
  | {
      readonly kind: 'sent';
      readonly at: Date;
      readonly answer: string;
      /** The content of a receipt. A store that never shows it need not keep it. */
      readonly content?: SentReceipt;
    }
  | { readonly kind: 'refused'; readonly at: Date; readonly answer: string; readonly reason: string }
  | {
      /** `postponed`: nothing was sent, because the organisation has reached its hourly limit. */
      readonly kind: 'try-again' | 'postponed';
      readonly at: Date;
      readonly answer: string;
      readonly reason: string;
      readonly nextTryAt: Date;
    };
