import { isPlatform, type Platform } from '@handover/domain';

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
export function formatPlatform(platform: Platform): string {
  return `${VENDORS[platform]} (${platform})`;
}

/** What a form says of platforms: all of them, or one. */
export type PlatformChoice =
  | { readonly kind: 'chosen'; readonly platform: Platform | null }
  | { readonly kind: 'unknown'; readonly problem: string };

/** Nothing is all of them. What is neither is of no form of ours, and must not pass for all. */
export function readPlatformChoice(text: string): PlatformChoice {
  if (text === '') return { kind: 'chosen', platform: null };
  if (isPlatform(text)) return { kind: 'chosen', platform: text };
  const problem = `There is no platform “${text.slice(0, 40)}”. Choose one of the list.`;
  return { kind: 'unknown', problem };
}
