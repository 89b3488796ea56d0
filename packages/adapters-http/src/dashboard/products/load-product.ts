import {
  findWaitingBuyers,
  type OrderReader,
  type Product,
  type SkuMapping,
  type VersionWithFiles,
  type WaitingOrders,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { DashboardRequest } from '../dashboard-route.ts';

type Ports = Pick<HttpPorts, 'deliveries' | 'openDeliveries' | 'products' | 'purchases' | 'skuMappings'>;

/** A product with the data that all its pages show. */
export interface LoadedProduct extends Pick<DashboardRequest, 'csrfToken' | 'role' | 'now' | 'platforms'> {
  readonly product: Product;
  /** The newest, and the live one. */
  readonly versions: readonly VersionWithFiles[];
  readonly hasOlderVersions: boolean;
  readonly skus: readonly SkuMapping[];
  readonly hasMoreSkus: boolean;
  readonly waiting: WaitingOrders;
  /** Null for users who may not see them. */
  readonly purchases: number | null;
  /** The maximum file size of a version, in bytes. */
  readonly maxFileSize: number;
}

/** Null when the product does not exist. */
export type LoadProduct = (context: DashboardRequest<'productId'>) => Promise<LoadedProduct | null>;

export const SHOWN_VERSIONS = 50;
export const SHOWN_SKUS = 200;

export function createLoadProduct(ports: Ports, orders: OrderReader, maxFileSize: number): LoadProduct {
  return async ({ orgId, params: { productId }, csrfToken, role, now, platforms }) => {
    const [product, listed, skus, waiting, purchases] = await Promise.all([
      ports.products.find(orgId, productId),
      ports.products.listVersions(orgId, productId, SHOWN_VERSIONS + 1),
      ports.skuMappings.listOf(orgId, productId, SHOWN_SKUS + 1),
      findWaitingBuyers({ ...ports, orders }, orgId, productId),
      role === 'member' ? null : ports.purchases.countOfProduct(orgId, productId),
    ]);
    if (!product) return null;
    return {
      product,
      versions: await withLive(ports.products, product, listed.slice(0, SHOWN_VERSIONS)),
      hasOlderVersions: listed.length > SHOWN_VERSIONS,
      skus: skus.slice(0, SHOWN_SKUS),
      hasMoreSkus: skus.length > SHOWN_SKUS,
      waiting,
      purchases,
      maxFileSize,
      csrfToken,
      role,
      now,
      platforms,
    };
  };
}

/** Somebody may have gone back to a version from before the newest ones. */
async function withLive(
  products: Ports['products'],
  { orgId, id, activeVersionId }: Product,
  newest: readonly VersionWithFiles[],
): Promise<readonly VersionWithFiles[]> {
  if (activeVersionId === null || newest.some((version) => version.id === activeVersionId)) return newest;
  const live = await products.findVersion(orgId, id, activeVersionId);
  return live ? [...newest, live] : newest;
}
