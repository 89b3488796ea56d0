import {
  type FoundPurchase,
  type LogSource,
  NAMED_IN_METADATA,
  type Platforms,
  type PurchaseQuery,
  type PurchaseRecord,
  type PurchaseSource,
} from '@handover/domain';

export interface SourceChoice {
  readonly source: PurchaseSource;
  /** As addresses have it: the source, or one of several shops of a platform. */
  readonly value: string;
  readonly words: string;
}

/** Those that can have sold something: platforms that are set up, and what is recorded without one. */
export function listUsedSources(
  platforms: Platforms,
  connections: readonly LogSource[],
): readonly SourceChoice[] {
  const isSetUp = new Set<PurchaseSource>(connections.map(({ platform }) => platform));
  const isPlatform = new Set<PurchaseSource>(platforms.list());
  return listSources(platforms, connections).filter(
    ({ source }) => isSetUp.has(source) || !isPlatform.has(source),
  );
}

/** The sources of purchases, for a select list: below a platform with several shops, each of them. */
export function listSources(
  platforms: Platforms,
  connections: readonly LogSource[],
): readonly SourceChoice[] {
  return [
    ...platforms.list().flatMap((platform) => {
      const shops = connections.filter((connection) => connection.platform === platform);
      return [
        { source: platform, value: platform, words: platforms.vendorOf(platform) },
        ...(shops.length < 2 ? [] : shops).map(({ connectionId, name }) => ({
          source: platform,
          value: writeValue(platform, connectionId),
          words: `${platforms.vendorOf(platform)}, ${name}`,
        })),
      ];
    }),
    { source: 'dashboard', value: 'dashboard', words: 'Recorded here' },
    { source: 'api', value: 'api', words: 'Recorded by the API' },
  ];
}

function writeValue(source: PurchaseSource, connectionId: string | undefined): string {
  return connectionId ? `${source}:${connectionId}` : source;
}

type AskedSource = Pick<PurchaseQuery, 'source' | 'connectionId'>;

export function readSource(platforms: Platforms, text: string | null): AskedSource {
  const [name, connectionId] = (text ?? '').split(':', 2);
  const source = listSources(platforms, []).find(({ value }) => value === name)?.source ?? null;
  return { source, ...(source && connectionId && { connectionId }) };
}

/** The same choices, with the one that is asked for by an old address, where its shop is not listed. */
export function withAsked(
  platforms: Platforms,
  choices: readonly SourceChoice[],
  { source, connectionId }: AskedSource,
): readonly SourceChoice[] {
  if (source === null || !connectionId) return choices;
  const value = writeValue(source, connectionId);
  if (choices.some((choice) => choice.value === value)) return choices;
  return [...choices, { source, value, words: `${formatSource(platforms, source)}, another shop` }];
}

/** The value of a choice, for what was read of it. */
export function valueOfSource({ source, connectionId }: AskedSource): string | null {
  return source && writeValue(source, connectionId);
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
