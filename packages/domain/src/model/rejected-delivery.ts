import type { Platform } from './platform.ts';

/** How many rejected requests are kept of each organisation and platform, and for how long. */
export const MAX_REJECTED = 100;
/** How long a rejected request is kept. */
export const REJECTED_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** A request that no secret verified, with what it takes to verify it later. Never holds a secret. */
export interface RejectedDelivery {
  readonly id: string;
  readonly orgId: string;
  readonly platform: Platform;
  readonly receivedAt: Date;
  /** A keyed fingerprint of the network that it came from; the address itself is not kept. */
  readonly source: string;
  /** What its sender was told, in a sentence. */
  readonly reason: string;
  readonly bytes: Uint8Array;
  /** Its signatures, and the headers that translation reads. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the secret in its URL, on platforms that have it there. */
  readonly secretFingerprint: string | null;
  /**
   * Its order, as it says, when it says both. Nobody verified it. Once that order is received again and accepted for that
   * address, the request is not needed any more, and is not listed.
   */
  readonly order?: {
    readonly orderId: string;
    readonly orderNumber?: string | null;
    readonly normalizedEmail: string;
  };
}

/** What an operator should know of the rejected requests of one platform. */
export interface RejectionSummary {
  readonly platform: Platform;
  /** How many there were in all. */
  readonly count: number;
  /** How many are kept, needed and not dismissed, and may be delivered once the right secret is set. */
  readonly kept: number;
  readonly lastAt: Date;
  readonly lastReason: string;
}
