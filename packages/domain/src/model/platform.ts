/** The neutral labels of the commerce platforms that Handover brings along, as they stand in webhook paths. */
export const PLATFORMS = [
  'storefront-a',
  'storefront-b',
  'payments-a',
  'checkout-a',
  'checkout-a-classic',
  'cart-a',
] as const;

/** The label of one of the six. */
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
  /** Whether the merchant enters a secret in the vendor's form, and copies none from there. */
  readonly isSecretEntered?: boolean;
  /** Whether it names the amounts of what is sold without tax. */
  readonly isNetOfTax?: boolean;
  /** Other vendors that send their orders to the same address. */
  readonly otherVendors?: readonly string[];
}

/** The platforms of one Handover: the six, and those of other teams that it was given. Two in one process share none. */
export interface Platforms {
  /** Their labels, ours first. */
  list(): readonly Platform[];
  /** Whether a text is the label of one of them: exactly, as in addresses and settings. */
  has(text: string): boolean;
  /** The vendor behind a label, as people know it. A platform that is none of them is called by its label. */
  vendorOf(platform: Platform): string;
  /** Whether the secret of its connections is part of the webhook URL. */
  hasSecretInUrl(platform: Platform): boolean;
  /** Whether the merchant enters a secret in the vendor's form, and copies none from there. */
  isSecretEntered(platform: Platform): boolean;
  /** Whether it names the amounts of what is sold without tax: others name the shop's price, which may include it. */
  isNetOfTax(platform: Platform): boolean;
  /** Other vendors that send their orders to the same address, as people know them. */
  otherVendorsOf(platform: Platform): readonly string[];
}

/** The six and these. What the six are cannot be changed. */
export function createPlatforms(
  others: readonly (PlatformFacts & { readonly label: Platform })[] = [],
): Platforms {
  const facts = new Map<Platform, PlatformFacts>([
    ...others.map(({ label, ...known }) => [label, known] as const),
    ...Object.entries(FACTS),
  ]);
  const labels = new Set([...PLATFORMS, ...facts.keys()]);
  return {
    list: () => [...labels],
    has: (text) => facts.has(text),
    vendorOf: (platform) => facts.get(platform)?.name ?? platform,
    hasSecretInUrl: (platform) => facts.get(platform)?.hasSecretInUrl ?? false,
    isSecretEntered: (platform) => facts.get(platform)?.isSecretEntered ?? false,
    isNetOfTax: (platform) => facts.get(platform)?.isNetOfTax ?? false,
    otherVendorsOf: (platform) => facts.get(platform)?.otherVendors ?? [],
  };
}

const FACTS: Readonly<Record<KnownPlatform, PlatformFacts>> = {
  'storefront-a': { name: 'Shopify', hasSecretInUrl: false },
  'storefront-b': { name: 'WooCommerce', hasSecretInUrl: false, isSecretEntered: true, isNetOfTax: true },
  'payments-a': { name: 'Stripe', hasSecretInUrl: false },
  'checkout-a': { name: 'FastSpring', hasSecretInUrl: false, isSecretEntered: true, isNetOfTax: true },
  'checkout-a-classic': { name: 'FastSpring Classic', hasSecretInUrl: false },
  'cart-a': { name: 'SamCart', hasSecretInUrl: true, otherVendors: ['ThriveCart', 'UltraCart'] },
};

/** The platforms of a program that was given no others. */
export const OUR_PLATFORMS: Platforms = createPlatforms();

/**
 * The one platform whose webhook address names no organisation: all share it, and the service holds its secrets. Each
 * event says itself whose it is.
 */
export const SHARED_PLATFORM = 'payments-a' as const satisfies KnownPlatform;
