/** The labels of the built-in commerce platforms, as in webhook paths. */
export const PLATFORMS = [
  'storefront-a',
  'storefront-b',
  'payments-a',
  'checkout-a',
  'checkout-a-classic',
  'cart-a',
] as const;

/** The label of a built-in platform. */
export type KnownPlatform = (typeof PLATFORMS)[number];

/**
 * The label of the platform of an order: a built-in one, or any other in lower-case letters, digits and hyphens. No rule
 * depends on the label, so orders of unknown platforms are fulfilled like all others.
 */
export type Platform = KnownPlatform | (string & {});

/** What pages and forms need to know about a platform. */
export interface PlatformFacts {
  /** The vendor's name. */
  readonly name: string;
  /** Whether the secret is part of its webhook URL, because the platform signs nothing. */
  readonly hasSecretInUrl: boolean;
  /** Whether the merchant chooses the secret and enters it at the vendor, instead of copying one from there. */
  readonly isSecretEntered?: boolean;
  /** Whether its amounts exclude tax. */
  readonly isNetOfTax?: boolean;
  /** Other vendors that send their orders to the same URL. */
  readonly otherVendors?: readonly string[];
}

/** The platforms of one Handover: the built-in ones, and those of other teams. Each Handover in a process has its own. */
export interface Platforms {
  /** All labels, the built-in ones first. */
  list(): readonly Platform[];
  /** Whether a text is exactly the label of one of them. */
  has(text: string): boolean;
  /** The vendor's name; the label if the platform is not one of them. */
  vendorOf(platform: Platform): string;
  /** See {@link PlatformFacts.hasSecretInUrl}. */
  hasSecretInUrl(platform: Platform): boolean;
  /** See {@link PlatformFacts.isSecretEntered}. */
  isSecretEntered(platform: Platform): boolean;
  /** Whether its amounts exclude tax. Those of other platforms are the shop's prices, which may include it. */
  isNetOfTax(platform: Platform): boolean;
  /** The names of other vendors that send their orders to the same URL. */
  otherVendorsOf(platform: Platform): readonly string[];
}

/** The built-in platforms and `others`, which cannot replace a built-in one. */
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

/** The built-in platforms. */
export const OUR_PLATFORMS: Platforms = createPlatforms();

/**
 * The only platform whose webhook URL names no organisation: all organisations share it, and the service has its secrets. Each
 * event names its organisation or account.
 */
export const SHARED_PLATFORM = 'payments-a' as const satisfies KnownPlatform;
