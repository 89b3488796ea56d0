import { signedSample as signCartA } from '@handover/platform-cart-a/testing';
import { signedSample as signCheckoutA } from '@handover/platform-checkout-a/testing';
import { signedSample as signCheckoutAClassic } from '@handover/platform-checkout-a-classic/testing';
import type { SampleSale, SignedRequest } from '@handover/platform-contract/testing';
import { signedSample as signPaymentsA } from '@handover/platform-payments-a/testing';
import { signedSample as signStorefrontA } from '@handover/platform-storefront-a/testing';
import { signedSample as signStorefrontB } from '@handover/platform-storefront-b/testing';
import type { OfferedPlatform } from '../composition.ts';

/** How to send as a platform would. */
interface SampleSender {
  readonly sign: (secret: string, sale: SampleSale) => SignedRequest;
  /** Whether the platform also announces orders that are still to be paid. */
  readonly announcesUnpaid: boolean;
}

/** A sender for every platform that this program can receive. */
export const SAMPLE_SENDERS: Readonly<Record<OfferedPlatform, SampleSender>> = {
  'storefront-a': { sign: signStorefrontA, announcesUnpaid: true },
  'storefront-b': { sign: signStorefrontB, announcesUnpaid: true },
  'checkout-a': { sign: signCheckoutA, announcesUnpaid: true },
  'checkout-a-classic': { sign: signCheckoutAClassic, announcesUnpaid: true },
  'cart-a': { sign: signCartA, announcesUnpaid: false },
  'payments-a': { sign: signPaymentsA, announcesUnpaid: true },
};
