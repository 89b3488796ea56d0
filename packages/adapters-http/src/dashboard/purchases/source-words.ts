import {
  type FoundPurchase,
  NAMED_IN_METADATA,
  type Platforms,
  type PurchaseRecord,
  type PurchaseSource,
} from '@handover/domain';

export interface SourceChoice {
  readonly value: PurchaseSource;
  readonly words: string;
}

/** Those that can have sold something: platforms that are set up, and what is recorded without one. */
export function listUsedSources(
  platforms: Platforms,
  connections: readonly { readonly platform: PurchaseSource }[],
): readonly SourceChoice[] {
  const isSetUp = new Set(connections.map(({ platform }) => platform));
  const isPlatform = new Set<PurchaseSource>(platforms.list());
  return listSources(platforms).filter(({ value }) => isSetUp.has(value) || !isPlatform.has(value));
}

/** The sources of purchases, for a select list. */
export function listSources(platforms: Platforms): readonly SourceChoice[] {
  return [
    ...platforms.list().map((platform) => ({ value: platform, words: platforms.vendorOf(platform) })),
    { value: 'dashboard', words: 'Recorded here' },
    { value: 'api', words: 'Recorded by the API' },
  ];
}

export function readSource(platforms: Platforms, text: string | null): PurchaseSource | null {
  return listSources(platforms).find(({ value }) => value === text)?.value ?? null;
}

/** For lists: only the vendor. */
export function formatSource(platforms: Platforms, source: PurchaseSource): string {
  if (source === 'dashboard') return 'By hand';
  return source === 'api' ? 'API' : platforms.vendorOf(source);
}

/** What the first shop of a platform is called, unless its operator names it; and what names no account of Stripe. */
const UNNAMED: readonly (string | null)[] = [null, 'main', NAMED_IN_METADATA];

/** For lists of several shops: "Shopify, EU shop"; a name that nobody gave is left out. */
export function formatShop(
  platforms: Platforms,
  { source, connectionName }: Pick<FoundPurchase, 'source' | 'connectionName'>,
): string {
  const vendor = formatSource(platforms, source);
  return UNNAMED.includes(connectionName) ? vendor : `${vendor}, ${connectionName}`;
}

/** For details: "Shopify, main". */
export function formatOrigin(platforms: Platforms, { source, connectionName }: PurchaseRecord): string {
  if (source === 'dashboard') return 'Recorded by hand';
  if (source === 'api') return 'Recorded by the API';
  return connectionName === null
    ? platforms.vendorOf(source)
    : `${platforms.vendorOf(source)}, ${connectionName}`;
}

/** A manually recorded sale has no order; the next column names who recorded it. */
export function numberOf({ orderNumber, orderId }: Pick<FoundPurchase, 'orderNumber' | 'orderId'>): string {
  return orderNumber ?? orderId ?? 'Sale';
}
