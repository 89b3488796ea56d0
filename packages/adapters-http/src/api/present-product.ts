import type {
  Product,
  ProductFile,
  ProductListRow,
  ProductVersion,
  VersionWithFiles,
} from '@handover/domain';
import type { Static } from 'typebox';
import type {
  FileBody,
  ProductBody,
  ProductRowBody,
  VersionBody,
  VersionWithFilesBody,
} from './product-schemas.ts';

// The API's members are listed one by one, so that a new member of the domain does not leak out.

export function presentProductRow({ product, activeVersion }: ProductListRow): Static<typeof ProductRowBody> {
  return {
    product: presentProduct(product),
    activeVersion: activeVersion && presentVersion(activeVersion),
  };
}

export function presentProduct(product: Product): Static<typeof ProductBody> {
  return {
    id: product.id,
    orgId: product.orgId,
    name: product.name,
    slug: product.slug,
    description: product.description,
    status: product.status,
    activeVersionId: product.activeVersionId,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}

export function presentVersion(version: ProductVersion): Static<typeof VersionBody> {
  return {
    id: version.id,
    productId: version.productId,
    version: version.version,
    status: version.status,
    createdAt: version.createdAt.toISOString(),
  };
}

export function presentVersionWithFiles(version: VersionWithFiles): Static<typeof VersionWithFilesBody> {
  return {
    ...presentVersion(version),
    files: version.files.map(presentFile),
  };
}

export function presentFile({ name, size, sha256, displayName }: ProductFile): Static<typeof FileBody> {
  return { name, size, sha256, displayName: displayName ?? null };
}
