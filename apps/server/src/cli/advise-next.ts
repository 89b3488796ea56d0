import type { Platform, Stores } from '@handover/domain';
import { formatCommand } from './command-text.ts';

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

export function adviseTestOrder(orgId: string, platform: string, sku: string): readonly string[] {
  return [
    'Next: send a signed sample order:',
    formatCommand(`simulate ${platform} --org ${orgId} --sku ${sku}`),
  ];
}

/** The next step after a connection: a test order of the newest published product, or a product first. */
export async function adviseFirstOrder(
  { products }: ListingStores,
  orgId: string,
  platform: string,
): Promise<readonly string[]> {
  const newest = { text: '', before: null, limit: 1 };
  const [published] = await products.search(orgId, { ...newest, status: 'published' });
  if (published) return adviseTestOrder(orgId, platform, published.product.slug);
  const [draft] = await products.search(orgId, { ...newest, status: 'draft' });
  if (!draft) return adviseAdding(orgId);
  const { slug, activeVersionId } = draft.product;
  return activeVersionId === null ? adviseUpload(orgId, slug) : advisePublish(orgId, slug);
}
