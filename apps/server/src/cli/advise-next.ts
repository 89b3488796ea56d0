import {
  type ConnectionFacts,
  type Platform,
  type Product,
  SHARED_PLATFORM,
  type Stores,
} from '@handover/domain';
import { counted, formatCommand, formatOption } from './command-text.ts';
import type { OpenedCommand } from './run-command.ts';

type ListingStores = Pick<Stores, 'products'>;

/** What a product still needs before orders deliver it, one step at a time. */
export function adviseUpload(orgId: string, slug: string): readonly string[] {
  return [
    'Next: upload its files, as many as you like, and make the version live:',
    formatCommand(`product upload FILE --org ${orgId} --product ${slug} --version 1.0 --activate`),
  ];
}

export function advisePublish(orgId: string, slug: string): readonly string[] {
  return ['Next: publish it:', formatCommand(`product publish --org ${orgId} --product ${slug}`)];
}

/** How to add the first product, or how to send an order of the newest one. */
export function adviseAdding(orgId: string): readonly string[] {
  return ['Next: add a product:', formatCommand(`product create --org ${orgId} --name 'Halo Pads'`)];
}

/** Without a platform: of an organisation that has not said which it sells on. */
export function adviseConnecting(orgId: string, platform?: Platform): readonly string[] {
  return [
    platform === undefined
      ? 'Next: connect a shop; for another platform than Shopify, see integration set --help:'
      : 'Next: connect the shop:',
    formatCommand(`integration set --org ${orgId} --platform ${platform ?? 'storefront-a'}`),
  ];
}

/** A shop that sample orders can come from. `connection` is null where its platform needs none to be named. */
export interface SampleShop {
  readonly platform: Platform;
  readonly connection: string | null;
}

function adviseTestOrder(
  orgId: string,
  { platform, connection }: SampleShop,
  sku: string,
): readonly string[] {
  const as = connection === null ? '' : ` ${formatOption('connection', connection)}`;
  return [
    'Next: send a signed sample order:',
    formatCommand(`simulate ${platform} --org ${orgId}${as} ${formatOption('sku', sku)}`),
  ];
}

/** The first of these connections, of one platform if it is said; by its name where the platform has several. */
export function chooseSampleShop(
  connections: readonly Pick<ConnectionFacts, 'platform' | 'name'>[],
  wanted: { readonly platform?: Platform | null; readonly name?: string } = {},
): SampleShop | null {
  const { platform = null, name } = wanted;
  const shop = connections.find(
    (one) => (platform ?? one.platform) === one.platform && (name ?? one.name) === one.name,
  );
  if (!shop) return null;
  const isOnly = connections.filter((one) => one.platform === shop.platform).length === 1;
  return {
    platform: shop.platform,
    connection: isOnly || shop.platform === SHARED_PLATFORM ? null : shop.name,
  };
}

/** The next step after a connection: a test order of the newest published product, or a product first. */
export async function adviseFirstOrder(
  { products }: ListingStores,
  orgId: string,
  shop: SampleShop,
): Promise<readonly string[]> {
  const newest = { text: '', before: null, limit: 1 };
  const [published] = await products.search(orgId, { ...newest, status: 'published' });
  if (published) return adviseTestOrder(orgId, shop, published.product.slug);
  const [draft] = await products.search(orgId, { ...newest, status: 'draft' });
  if (!draft) return adviseAdding(orgId);
  const { slug, activeVersionId } = draft.product;
  return activeVersionId === null ? adviseUpload(orgId, slug) : advisePublish(orgId, slug);
}

/** A test order as the shop that is connected, or a shop first: no order comes from one that is not. */
export async function adviseOrderOf(
  { ports }: Pick<OpenedCommand, 'ports'>,
  orgId: string,
  platform: Platform | null,
  sku: string,
): Promise<readonly string[]> {
  if (platform === SHARED_PLATFORM) return adviseTestOrder(orgId, { platform, connection: null }, sku);
  const shops = await ports.connections.listFacts(orgId, ports.clock.now());
  const shop = chooseSampleShop(shops, { platform });
  if (!shop) return adviseConnecting(orgId, platform ?? undefined);
  return adviseTestOrder(orgId, shop, sku);
}

/** A mapping of the newest product, or a product first. */
export async function adviseMapping({ products }: ListingStores, orgId: string): Promise<readonly string[]> {
  const [newest] = await products.search(orgId, { text: '', status: null, before: null, limit: 1 });
  if (!newest) return adviseAdding(orgId);
  return [
    'Next: deliver a product for a SKU of your shop:',
    formatCommand(`sku map --org ${orgId} --sku PAD-1 --product ${newest.product.slug}`),
  ];
}

/** A live version is not enough: a draft delivers nothing, and held entries wait until it is published. */
export async function adviseAfterActivating(
  { ports }: Pick<OpenedCommand, 'ports'>,
  { orgId, id, slug, name, status }: Product,
): Promise<readonly string[]> {
  if (status === 'draft') {
    return [`${name} is a draft: it delivers nothing yet.`, ...advisePublish(orgId, slug)];
  }
  const held = await ports.openDeliveries.countHeld(orgId, id);
  if (held === 0) {
    return ['Orders deliver it from now on.', ...(await adviseOrderOf({ ports }, orgId, null, slug))];
  }
  return [
    `Orders deliver it from now on. ${counted(held, 'order')} ${held === 1 ? 'is' : 'are'} still held for it.`,
    'Next: deliver them:',
    formatCommand(`product publish --org ${orgId} --product ${slug}`),
  ];
}
