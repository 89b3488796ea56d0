import type { Platform } from './platform.ts';

/** The maximum number of rejected requests that are kept for an organisation and platform. */
export const MAX_REJECTED = 100;
/** How long a rejected request is kept. */
export const REJECTED_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** A request that no secret verified, with what is needed to verify it later. Never contains a secret. */
export interface RejectedDelivery {
  readonly id: string;
  readonly orgId: string;
  readonly platform: Platform;
  readonly receivedAt: Date;
  /** A keyed fingerprint of the sender's network; the address itself is not stored. */
  readonly source: string;
  /** The reason in the response: a sentence. */
  readonly reason: string;
  readonly bytes: Uint8Array;
  /** The headers with signatures, and those that translation reads. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fingerprint of the secret in its URL; null on platforms that sign. */
  readonly secretFingerprint: string | null;
  /**
   * The order that the unverified body claims to be, if it has an order id and an address. Once that order is received and
   * accepted for that address, the request is not needed any more, and is not listed.
   */
  readonly order?: {
    readonly orderId: string;
    readonly orderNumber?: string | null;
    readonly normalizedEmail: string;
  };
}

/** The rejected requests of one platform in numbers. */
export interface RejectionSummary {
  readonly platform: Platform;
  /** The number of all that were ever rejected. */
  readonly count: number;
  /** The number of those that are kept, still needed and not dismissed. Once the right secret is set, they can be delivered. */
  readonly kept: number;
  readonly lastAt: Date;
  readonly lastReason: string;
}
