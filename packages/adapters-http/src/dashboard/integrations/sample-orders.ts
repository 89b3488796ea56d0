import type { Platform } from '@handover/domain';

/** Sends test orders to our own webhook addresses, signed like the vendor's. */
export interface SampleOrders {
  send(order: {
    readonly orgId: string;
    readonly platform: Platform;
    /** Which of several shops. Unused on the shared platform. */
    readonly connectionId: string | null;
    readonly sku: string;
    readonly email: string;
    readonly name: string;
  }): Promise<SampleSent>;
}

export type SampleSent =
  /** `deliveryId`: its entry in the webhook log. */
  | { readonly kind: 'arrived'; readonly orderId: string; readonly deliveryId: string | null }
  | { readonly kind: 'refused'; readonly status: number }
  /** Its package says not how to send one. */
  | { readonly kind: 'not-set-up' | 'no-sample' };
