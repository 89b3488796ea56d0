import type { HttpPorts } from '@handover/adapters-http';

/** Stores that take no text which PostgreSQL would not: NUL, and halves of surrogate pairs. */
export function refuseUnstorable({ products, skuMappings, purchases }: HttpPorts): Partial<HttpPorts> {
  return {
    products: {
      ...products,
      add: async (product) => products.add(storable(product)),
      change: async (orgId, productId, change, now) =>
        products.change(orgId, productId, storable(change), now),
      addVersion: async (orgId, version) => products.addVersion(orgId, storable(version)),
      putFile: async (orgId, versionId, file) => products.putFile(orgId, versionId, storable(file)),
    },
    skuMappings: {
      ...skuMappings,
      put: async (orgId, mapping) => {
        storable(mapping.sku);
        return skuMappings.put(orgId, mapping);
      },
      remove: async (orgId, sku, platform) => skuMappings.remove(orgId, storable(sku), platform),
    },
    purchases: { ...purchases, add: async (sale) => purchases.add(storable(sale)) },
  };
}

function storable<T>(value: T): T {
  context(value);
  return value;
}

function context(value: unknown): void {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw new Error(`PostgreSQL would refuse ${JSON.stringify(value)}.`);
  }
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(context);
}
