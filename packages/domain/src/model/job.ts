import type { EmailKind } from './outgoing-email.ts';
import type { Release } from './release.ts';

/** Work that must happen after a commit, whatever crashes. It is stored in the transaction that makes it necessary. */
export type Job =
  | {
      readonly kind: 'fulfil-delivery';
      readonly orgId: string;
      readonly deliveryId: string;
      /** The delivery's attempts when the job was made: one that was decided since no longer needs it. */
      readonly attempts: number;
      readonly startAfter: Date;
    }
  | {
      /** Another entry of its order was delivered: what that resolves of this one is written down. */
      readonly kind: 'resolve-delivery';
      readonly orgId: string;
      readonly deliveryId: string;
      /** As above. */
      readonly attempts: number;
      readonly startAfter: Date;
    }
  | {
      /** Pages through the entries of a release. */
      readonly kind: 'release-entries';
      readonly orgId: string;
      readonly release: Release;
      readonly startAfter: Date;
    }
  | {
      /** Pages through the purchases of a bulk action. */
      readonly kind: 'run-bulk-action';
      readonly orgId: string;
      readonly bulkId: string;
      readonly startAfter: Date;
    }
  | {
      readonly kind: 'send-email';
      /** `NO_ORGANISATION` where the e-mail belongs to none. */
      readonly orgId: string;
      readonly emailId: string;
      /** Receipts wait for one another, and nothing else for them. The job runs without it: the e-mail itself says its kind. */
      readonly emailKind: EmailKind;
      readonly startAfter: Date;
    };

/** The job that mails a receipt. */
export function mailReceipt(orgId: string, receiptId: string, startAfter: Date): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId, emailId: receiptId, startAfter };
}
