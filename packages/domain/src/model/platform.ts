/** The neutral labels of the commerce platforms that Handover knows, as they stand in webhook paths. */
export const PLATFORMS = [
  'storefront-a',
  'storefront-b',
  'payments-a',
  'checkout-a',
  'checkout-a-classic',
  'cart-a',
] as const;

export type Platform = (typeof PLATFORMS)[number];

/** The vendor behind each label, as people know it. */
export const VENDORS: Readonly<Record<Platform, string>> = {
  'storefront-a': 'Shopify',
  'storefront-b': 'WooCommerce',
  'payments-a': 'Stripe',
  'checkout-a': 'FastSpring',
  'checkout-a-classic': 'FastSpring Classic',
  'cart-a': 'SamCart',
};

/** Whether a text is the label of a platform: exactly, as it stands in addresses and settings. */
export function isPlatform(text: string): text is Platform {
  return (PLATFORMS as readonly string[]).includes(text);
}

/**
 * The one platform whose webhook address names no organisation: all share it, and the service holds its secrets. Each
 * event says itself whose it is.
 */
export const SHARED_PLATFORM = 'payments-a' as const satisfies Platform;
