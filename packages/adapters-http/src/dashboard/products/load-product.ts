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
  readonly versions: readonly VersionWithFiles[];
  readonly skus: readonly SkuMapping[];
  readonly waiting: WaitingOrders;
  /** Null for users who may not see them. */
  readonly purchases: number | null;
  /** The maximum file size of a version, in bytes. */
  readonly maxFileSize: number;
}

/** Null when the product does not exist. */
export type LoadProduct = (context: DashboardRequest) => Promise<LoadedProduct | null>;

const SHOWN_VERSIONS = 50;
const SHOWN_SKUS = 200;

export function createLoadProduct(ports: Ports, orders: OrderReader, maxFileSize: number): LoadProduct {
  return async ({ orgId, params: { productId = '' }, csrfToken, role, now, platforms }) => {
    const [product, versions, skus, waiting, purchases] = await Promise.all([
      ports.products.find(orgId, productId),
      ports.products.listVersions(orgId, productId, SHOWN_VERSIONS),
      ports.skuMappings.listOf(orgId, productId, SHOWN_SKUS),
      findWaitingBuyers({ ...ports, orders }, orgId, productId),
      role === 'member' ? null : ports.purchases.countOfProduct(orgId, productId),
    ]);
    const asked = { csrfToken, role, now, platforms };
    return product && { product, versions, skus, waiting, purchases, ...asked, maxFileSize };
  };
}
