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

/** What people and forms must know of a platform besides its label. */
export interface PlatformFacts {
  /** As people know its vendor. */
  readonly name: string;
  /** Whether its webhook URL holds the secret itself, because it signs nothing. */
  readonly hasSecretInUrl: boolean;
}

const FACTS = new Map<Platform, PlatformFacts>(
  Object.entries({
    'storefront-a': { name: 'Shopify', hasSecretInUrl: false },
    'storefront-b': { name: 'WooCommerce', hasSecretInUrl: false },
    'payments-a': { name: 'Stripe', hasSecretInUrl: false },
    'checkout-a': { name: 'FastSpring', hasSecretInUrl: false },
    'checkout-a-classic': { name: 'FastSpring Classic', hasSecretInUrl: false },
    'cart-a': { name: 'SamCart', hasSecretInUrl: true },
  } satisfies Record<KnownPlatform, PlatformFacts>),
);

/**
 * Makes a platform of another team one of those that this process knows, for good. A program does it once, when it starts:
 * from then on the platform stands in lists and forms. The six are what they are.
 */
export function introducePlatform(label: Platform, facts: PlatformFacts): void {
  if (!(PLATFORMS as readonly string[]).includes(label)) FACTS.set(label, facts);
}

/** The labels of all platforms that this process knows, ours first. */
export function listPlatforms(): readonly Platform[] {
  return [...FACTS.keys()];
}

/** The vendor behind a label, as people know it. A platform that we do not know is called by its label. */
export function vendorOf(platform: Platform): string {
  return FACTS.get(platform)?.name ?? platform;
}

/** Whether the secret of its connections stands in the webhook URL. */
export function hasSecretInUrl(platform: Platform): boolean {
  return FACTS.get(platform)?.hasSecretInUrl ?? false;
}

/** Whether a text is the label of a platform that this process knows: exactly, as it stands in addresses and settings. */
export function isPlatform(text: string): boolean {
  return FACTS.has(text);
}

/**
 * The one platform whose webhook address names no organisation: all share it, and the service holds its secrets. Each
 * event says itself whose it is.
 */
export const SHARED_PLATFORM = 'payments-a' as const satisfies KnownPlatform;
