import type { KnownPlatform, Platform } from '@handover/domain';
import { signedSample as signCartA } from '@handover/platform-cart-a/testing';
import { signedSample as signCheckoutA } from '@handover/platform-checkout-a/testing';
import { signedSample as signCheckoutAClassic } from '@handover/platform-checkout-a-classic/testing';
import type { PlatformWebhook, SampleSender } from '@handover/platform-contract';
import { signedSample as signPaymentsA } from '@handover/platform-payments-a/testing';
import { signedSample as signStorefrontA } from '@handover/platform-storefront-a/testing';
import { signedSample as signStorefrontB } from '@handover/platform-storefront-b/testing';

/** How to send as a platform would: one of ours, or one of these that says so itself. Null: it does not. */
export function findSampleSender(
  platforms: readonly PlatformWebhook[],
  platform: Platform,
): SampleSender | null {
  return SENDERS[platform] ?? platforms.find(({ label }) => label === platform)?.sample ?? null;
}

const SENDERS: Readonly<Record<Platform, SampleSender>> = {
  'storefront-a': { sign: signStorefrontA, announcesUnpaid: true },
  'storefront-b': { sign: signStorefrontB, announcesUnpaid: true },
  'checkout-a': { sign: signCheckoutA, announcesUnpaid: true },
  'checkout-a-classic': { sign: signCheckoutAClassic, announcesUnpaid: true },
  'cart-a': { sign: signCartA, announcesUnpaid: false },
  'payments-a': { sign: signPaymentsA, announcesUnpaid: true },
} satisfies Record<KnownPlatform, SampleSender>;
