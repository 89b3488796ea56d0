import type { Alert, AlertDetails } from '../model/alert.ts';
import type { ConnectionRules } from '../model/connection.ts';
import type { Delivery, DeliveryBody, DeliveryLine, HeldFor } from '../model/delivery.ts';
import type { DownloadLink } from '../model/download-link.ts';
import type { DownloadClient, SentBytes } from '../model/download-session.ts';
import type { Invitation } from '../model/invitation.ts';
import type { Language } from '../model/language.ts';
import type { EmailKind } from '../model/outgoing-email.ts';
import type { EmailStatus } from '../model/pending-email.ts';
import type { Platform } from '../model/platform.ts';
import type { SentReceipt } from '../model/receipt.ts';
import type { Refund } from '../model/refund.ts';
import type { RejectedDelivery, RejectionSummary } from '../model/rejected-delivery.ts';
import type { Release } from '../model/release.ts';
import type { SeenDevice } from '../model/sign-in.ts';
import type { UnassignedDelivery } from '../model/unassigned-delivery.ts';

/** The state of claims on a mail. `claims` counts all claims so far, so that each has its own id. */
export interface Claimable {
  readonly claims: number;
  /** Null: nobody holds a claim. Once it is past, somebody else may claim the mail. */
  readonly claimedUntil: Date | null;
}

/** Stored by connection and fingerprint. */
export interface ProofRow {
  readonly connectionId: string;
  /** The hash of the body that came first. */
  readonly bodySha256: string;
  readonly firstSeenAt: Date;
}

export interface RefundRow extends Refund {
  readonly orgId: string;
}

export interface DeviceRow extends SeenDevice {
  readonly userId: string;
  readonly seenAt: Date;
}

export interface SignInRow {
  readonly id: string;
  readonly returnTo: string | null;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly redeemed: boolean;
  readonly withdrawn: boolean;
}

export interface InvitationRow extends Invitation {
  readonly acceptedAt: Date | null;
}

export interface ConnectionRow {
  readonly id: string;
  readonly orgId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly secrets: readonly {
    readonly secret: string;
    readonly setAt: Date;
    readonly expiresAt: Date | null;
  }[];
  readonly rules: ConnectionRules;
}

export interface RejectedRow extends RejectedDelivery {
  /** Whether it seems to come from the platform: only then it raises an alert. */
  readonly isGenuine: boolean;
}

export interface RejectionRow extends Omit<RejectionSummary, 'kept'> {
  readonly orgId: string;
}

export interface UnassignedRow {
  readonly delivery: UnassignedDelivery;
  readonly body: Omit<DeliveryBody, 'id'>;
}

export interface IdempotencyRow {
  readonly fingerprint: string;
  readonly sale: { readonly purchaseId: string; readonly customerId: string; readonly linkId: string };
}

export interface AlertRow extends Omit<Alert, 'details'>, AlertDetails {
  readonly mailId: string;
}

export interface SessionRow {
  readonly id: string;
  readonly orgId: string;
  readonly linkId: string;
  readonly startedAt: Date;
  readonly lastByteAt: Date;
  readonly bytes: number;
  readonly completedAt: Date | null;
  readonly client: DownloadClient | null;
  /** One row for each version and name; its ranges are the merged ranges that were sent. */
  readonly files: readonly SentBytes[];
}

/** `note` is the decision's. */
export interface DeliveryRow extends Delivery {
  readonly receivedNote: string | null;
  readonly heldFor: HeldFor | null;
  readonly attempts: number;
  readonly addedEmail?: string;
  readonly decidedAt: Date | null;
  readonly lines: readonly DeliveryLine[];
}

export interface LinkRow extends DownloadLink {
  readonly openedCount: number;
  readonly firstOpenedAt: Date | null;
  readonly lastOpenedAt: Date | null;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
  /** The action that revoked its purchase. */
  readonly revocationId: string | null;
  /** The customer that it was made for, if its purchase has moved to another one since. Null: the purchase's customer. */
  readonly customerId: string | null;
}

export interface EmailRow extends Claimable {
  readonly id: string;
  /** `NO_ORGANISATION` if it belongs to none. */
  readonly orgId: string;
  readonly kind: EmailKind;
  readonly status: EmailStatus;
  readonly pendingSince: Date;
  readonly attempts: number;
  readonly postponed: boolean;
  readonly lastAnswer: string | null;
  readonly lastAnswerAt: Date | null;
  readonly nextTryAt: Date;
  readonly sentAt: Date | null;
  /** The content of a receipt that was sent. */
  readonly sentContent?: SentReceipt | null;
  readonly createdAt: Date;
  /** Only for receipts. */
  readonly customerId: string | null;
  /** The delivery whose purchases a receipt is for. */
  readonly deliveryId: string | null;
  /** The buyer's, if it is known. */
  readonly language: Language | null;
  /** The subject of a request for new links: a purchase, or a normalized address. `COLLECTING`: alerts still join it. */
  readonly subject: string | null;
  /** Null until they are created. */
  readonly linkIds: readonly string[] | null;
  readonly leftOut: boolean;
}

export interface ReleaseRow {
  readonly orgId: string;
  readonly release: Release;
  /** The last entry whose job was queued. */
  readonly after: string;
}
