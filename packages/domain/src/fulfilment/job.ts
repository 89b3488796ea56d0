import type { Release } from './release.ts';

/** Work that must happen after a commit, whatever crashes. It is stored in the transaction that makes it necessary. */
export type Job =
  | {
      readonly kind: 'fulfil-delivery';
      readonly orgId: string;
      readonly deliveryId: string;
      /** The delivery's attempts when the job was made: one that was decided since needs it no more. */
      readonly attempts: number;
      readonly startAfter: Date;
    }
  | {
      /** Another entry of its order was delivered: what that settles of this one is written down. */
      readonly kind: 'settle-delivery';
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
      readonly kind: 'send-receipt';
      readonly orgId: string;
      readonly receiptId: string;
      readonly startAfter: Date;
    }
  | {
      readonly kind: 'send-sign-in-link';
      readonly signInId: string;
      readonly startAfter: Date;
    }
  | {
      readonly kind: 'send-invitation';
      readonly orgId: string;
      readonly invitationId: string;
      readonly startAfter: Date;
    }
  | {
      readonly kind: 'send-alerts';
      readonly orgId: string;
      readonly mailId: string;
      readonly startAfter: Date;
    }
  /** Of no organisation: one mail may bring what was bought at several. */
  | { readonly kind: 'send-link-mail'; readonly mailId: string; readonly startAfter: Date };
