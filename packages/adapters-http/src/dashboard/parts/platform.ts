import type { Platform } from '@handover/domain';

/** The vendor behind each label, as people know it. */
export const VENDORS: Readonly<Record<Platform, string>> = {
  'storefront-a': 'Shopify',
  'storefront-b': 'WooCommerce',
  'payments-a': 'Stripe',
  'checkout-a': 'FastSpring',
  'checkout-a-classic': 'FastSpring Classic',
  'cart-a': 'SamCart',
};

/** The vendor with our label beside it. */
export function platformInWords(platform: Platform): string {
  return `${VENDORS[platform]} (${platform})`;
}
