import {
  type AuditedAction,
  type MapSkuResult,
  mapSkuAndRelease,
  type Platforms,
  type Product,
  runAuditedAction,
  type SkuMapping,
  unmapSku,
} from '@handover/domain';
import type { AuditPorts, HttpPorts } from '../http-ports.ts';
import type { ActionScope } from './product-actions.ts';

/** A mapping that says the same already has no entry. */
export async function mapSkuWithEntry(
  ports: AuditPorts & Pick<HttpPorts, 'platforms'>,
  scope: ActionScope,
  input: SkuMapping,
): Promise<MapSkuResult> {
  const { result } = await runAuditedAction(
    ports,
    scope,
    async (within) => {
      const result = await mapSkuAndRelease(within, scope.orgId, input);
      const productId = result.kind === 'mapped' ? result.mapping.productId : null;
      return { result, product: productId && (await within.products.find(scope.orgId, productId)) };
    },
    ({ result, product }) =>
      result.kind === 'mapped' && result.isChanged
        ? describeMapping(ports.platforms, scope.orgId, result.mapping, product || null)
        : null,
  );
  return result;
}

export function unmapSkuWithEntry(
  ports: AuditPorts & Pick<HttpPorts, 'platforms'>,
  scope: ActionScope,
  mapping: Omit<SkuMapping, 'productId'>,
): ReturnType<typeof unmapSku> {
  const summary = `${nameSku(ports.platforms, mapping)} is no longer mapped.`;
  return runAuditedAction(
    ports,
    scope,
    (within) => unmapSku(within, scope.orgId, mapping),
    (outcome) => (outcome === 'unmapped' ? { kind: 'sku-mapped', subjectId: scope.orgId, summary } : null),
  );
}

/** `product`: the product that the SKU is mapped to; null when the SKU is ignored. */
export function describeMapping(
  platforms: Platforms,
  orgId: string,
  mapping: SkuMapping,
  product: Pick<Product, 'id' | 'name'> | null,
): AuditedAction {
  const summary = `${nameSku(platforms, mapping)} ${product ? `now delivers ${product.name}` : 'is ignored'}.`;
  return { kind: 'sku-mapped', subjectId: product?.id ?? orgId, summary };
}

function nameSku(platforms: Platforms, { sku, platform }: Omit<SkuMapping, 'productId'>): string {
  return platform === null ? sku : `${sku} of ${platforms.vendorOf(platform)}`;
}
