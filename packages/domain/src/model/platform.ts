/** The neutral labels of the commerce platforms that Handover brings along, as they stand in webhook paths. */
export const PLATFORMS = [
  'storefront-a',
  'storefront-b',
  'payments-a',
  'checkout-a',
  'checkout-a-classic',
  'cart-a',
] as const;

export type KnownPlatform = (typeof PLATFORMS)[number];

/**
 * Where an order came from: one of ours, or the label of any other platform, in lower-case letters, digits and hyphens. No
 * rule asks which it is, so an order of a platform that nobody here has heard of is fulfilled like any other.
 */
export type Platform = KnownPlatform | (string & {});

const VENDORS: Readonly<Record<string, string>> = {
  'storefront-a': 'Shopify',
  'storefront-b': 'WooCommerce',
  'payments-a': 'Stripe',
  'checkout-a': 'FastSpring',
  'checkout-a-classic': 'FastSpring Classic',
  'cart-a': 'SamCart',
} satisfies Record<KnownPlatform, string>;

/** The vendor behind a label, as people know it. A platform that we do not know is called by its label. */
export function vendorOf(platform: Platform): string {
  return Object.hasOwn(VENDORS, platform) ? (VENDORS[platform] ?? platform) : platform;
}

/** Whether a text is the label of one of our platforms: exactly, as it stands in addresses and settings. */
export function isPlatform(text: string): text is KnownPlatform {
  return (PLATFORMS as readonly string[]).includes(text);
}

/**
 * The one platform whose webhook address names no organisation: all share it, and the service holds its secrets. Each
 * event says itself whose it is.
 */
export const SHARED_PLATFORM = 'payments-a' as const satisfies KnownPlatform;
