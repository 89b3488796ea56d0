import type { Platform } from '@handover/domain';

/** Orders that are given to our own webhook addresses, genuinely signed, as the vendor would. */
export interface SampleOrders {
  send(order: {
    readonly orgId: string;
    readonly platform: Platform;
    /** As which of several shops. Of no meaning on the shared platform. */
    readonly connectionId: string | null;
    readonly sku: string;
    readonly email: string;
  }): Promise<SampleSent>;
}

export type SampleSent =
  /** `deliveryId` is its entry in the log. */
  | { readonly kind: 'arrived'; readonly orderId: string; readonly deliveryId: string | null }
  | { readonly kind: 'refused'; readonly status: number }
  /** Its package says not how to send one. */
  | { readonly kind: 'not-set-up' | 'no-sample' };
