import type { EmailKind } from './outgoing-email.ts';
import type { Release } from './release.ts';

/** Work that must be done after a commit. It is stored in the same transaction, so that no crash can lose it. */
export type Job =
  | {
      readonly kind: 'fulfil-delivery';
      readonly orgId: string;
      readonly deliveryId: string;
      /** The delivery's attempts when the job was queued. If the delivery was decided since, the job does nothing. */
      readonly attempts: number;
      readonly startAfter: Date;
    }
  | {
      /** Decides an open entry again, because another entry of its order was delivered. */
      readonly kind: 'resolve-delivery';
      readonly orgId: string;
      readonly deliveryId: string;
      /** As for `fulfil-delivery`. */
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
      /** `NO_ORGANISATION` if the e-mail belongs to none. */
      readonly orgId: string;
      readonly emailId: string;
      /** For the queue, where receipts have workers of their own. The handler reads the kind from the e-mail. */
      readonly emailKind: EmailKind;
      readonly startAfter: Date;
    };

/** The job that mails a receipt. */
export function mailReceipt(orgId: string, receiptId: string, startAfter: Date): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId, emailId: receiptId, startAfter };
}
