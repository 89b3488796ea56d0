import {
  hasValues,
  type Product,
  type ProductFile,
  type ProductListRow,
  type ProductVersion,
} from '../model/product.ts';
import type { SkuMapping } from '../model/sku-mapping.ts';
import type { Products, SkuMappings, VersionWithFiles } from '../ports/catalogue.ts';
import { addContent } from './contents.ts';
import { type Memory, moveRevision, newestFirst, rowsWhere } from './memory.ts';

export function createInMemoryProducts(memory: Memory): Products {
  return { ...storeProducts(memory), ...storeVersions(memory), ...storeFiles(memory) };
}

function storeProducts(memory: Memory) {
  return {
    async *list(orgId) {
      for (const product of newestFirst(memory.products.values())) {
        if (product.orgId === orgId) yield withActiveVersion(memory, product);
      }
    },
    search: async (orgId, { text, status, before, limit }) => {
      const wanted = text.trim().toLowerCase();
      return rowsWhere(memory.products, { orgId })
        .filter(({ id }) => before === null || id < before)
        .filter((product) => status === null || product.status === status)
        .filter(({ name, slug }) => name.toLowerCase().includes(wanted) || slug.includes(wanted))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map((product) => withActiveVersion(memory, product));
    },
    find: async (orgId, productId) => findProduct(memory, orgId, productId),
    findToChange: async (orgId, productId) => findProduct(memory, orgId, productId),
    findBySlug: async (orgId, slug) => rowsWhere(memory.products, { orgId, slug })[0] ?? null,
    add: async (product) => {
      if (isSlugTaken(memory, product)) return 'slug-taken';
      memory.products.set(product.id, product);
      moveRevision(memory, product.orgId);
      return 'added';
    },
    change: async (orgId, productId, change, now, expected = {}) => {
      const current = findProduct(memory, orgId, productId);
      if (!current || !hasValues(current, expected)) return 'unknown-product';
      if (hasValues(current, change)) return current;
      const updatedAt = changeTime(current, now);
      const changed: Product = { ...current, ...change, updatedAt };
      if (isSlugTaken(memory, changed)) return 'slug-taken';
      if (changed.activeVersionId !== null && changed.activeVersionId !== current.activeVersionId) {
        memory.liveSince.set(changed.activeVersionId, now);
      }
      memory.products.set(productId, changed);
      moveRevision(memory, orgId);
      return changed;
    },
  } satisfies Partial<Products>;
}

function storeVersions(memory: Memory) {
  return {
    addVersion: async (orgId, version) => {
      const taken = rowsWhere(memory.versions, { productId: version.productId, version: version.version });
      if (taken.length > 0) return 'label-taken';
      memory.versions.set(version.id, { ...version, orgId });
      return 'added';
    },
    listVersions: async (orgId, productId, limit) =>
      [...rowsWhere(memory.versions, { orgId, productId })]
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map((version) => withFiles(memory, version)),
    findVersion: async (orgId, productId, versionId) => {
      const version = memory.versions.get(versionId);
      if (version?.orgId !== orgId || version.productId !== productId) return null;
      return withFiles(memory, version);
    },
    findVersionByLabel: async (orgId, productId, label) => {
      const version = [...memory.versions.values()].find(
        (row) => row.orgId === orgId && row.productId === productId && row.version === label,
      );
      return version ? withFiles(memory, version) : null;
    },
    activate: async (orgId, productId, versionId, now) => {
      const product = findProduct(memory, orgId, productId);
      const version = memory.versions.get(versionId);
      if (!product || !version || !memory.files.get(versionId)?.length) return 'no-files';
      if (product.activeVersionId === versionId) return 'activated';
      memory.versions.set(versionId, { ...version, status: 'ready' });
      memory.liveSince.set(versionId, now);
      memory.products.set(productId, {
        ...product,
        activeVersionId: versionId,
        updatedAt: changeTime(product, now),
      });
      moveRevision(memory, orgId);
      return 'activated';
    },
  } satisfies Partial<Products>;
}

function storeFiles(memory: Memory) {
  return {
    putFile: async (orgId, versionId, file) => putFile(memory, orgId, versionId, file),
    listFiles: async (orgId, versionIds) =>
      new Map(
        versionIds.flatMap((id) => {
          const files = memory.files.get(id) ?? [];
          return memory.versions.get(id)?.orgId === orgId && files.length > 0 ? [[id, files] as const] : [];
        }),
      ),
    nameFile: async (orgId, versionId, name, displayName) => {
      const files = filesOf(memory, orgId, versionId);
      if (!files.some((file) => file.name === name)) return false;
      const named = files.map(({ displayName: former, ...file }) => {
        const shown = file.name === name ? displayName : (former ?? null);
        return shown === null ? file : { ...file, displayName: shown };
      });
      memory.files.set(versionId, named);
      return true;
    },
    orderFiles: async (orgId, versionId, names) => {
      const files = filesOf(memory, orgId, versionId);
      const isWhole = names.length === files.length && files.every(({ name }) => names.includes(name));
      if (!isWhole) return 'changed';
      for (const [at, name] of names.entries()) memory.filePositions.set(fileKey(versionId, name), at + 1);
      setFiles(memory, versionId, files);
      return 'ordered';
    },
    removeFile: async (orgId, productId, versionId, name) => {
      const version = memory.versions.get(versionId);
      const files = filesOf(memory, orgId, versionId);
      const file = files.find((one) => one.name === name);
      if (!file || version?.productId !== productId) return 'unknown-file';
      if (findProduct(memory, orgId, productId)?.activeVersionId === versionId) return 'live';
      if (rowsWhere(memory.purchases, { versionId }).length > 0) return 'bought';
      if (version.status === 'ready' && files.length === 1) return 'last';
      addContent(memory, orgId, file.sha256);
      memory.filePositions.delete(fileKey(versionId, name));
      memory.files.set(
        versionId,
        files.filter((one) => one !== file),
      );
      moveRevision(memory, orgId);
      return file;
    },
  } satisfies Partial<Products>;
}

function putFile(memory: Memory, orgId: string, versionId: string, file: ProductFile) {
  const version = memory.versions.get(versionId);
  if (version?.orgId !== orgId || version.status !== 'preparing') return 'frozen';
  const files = memory.files.get(versionId) ?? [];
  const former = files.find(({ name }) => name === file.name);
  if (former?.size === file.size && former.sha256 === file.sha256) return 'unchanged';
  const others = files.filter(({ name }) => name !== file.name);
  if (former) addContent(memory, orgId, former.sha256);
  const last = Math.max(0, ...files.map(({ name }) => positionOf(memory, versionId, name)));
  if (!former && last > 0) memory.filePositions.set(fileKey(versionId, file.name), last + 1);
  const { name, size, sha256 } = file;
  setFiles(memory, versionId, [...others, { ...former, name, size, sha256 }]);
  return 'saved';
}

function findProduct({ products }: Memory, orgId: string, productId: string): Product | null {
  const product = products.get(productId);
  return product?.orgId === orgId ? product : null;
}

function withActiveVersion({ versions }: Memory, product: Product): ProductListRow {
  const active = versions.get(product.activeVersionId ?? '');
  return { product, activeVersion: active ? withoutOrg(active) : null };
}

function fileKey(versionId: string, name: string): string {
  return `${versionId} ${name}`;
}

function positionOf({ filePositions }: Memory, versionId: string, name: string): number {
  return filePositions.get(fileKey(versionId, name)) ?? 0;
}

function filesOf({ versions, files }: Memory, orgId: string, versionId: string): readonly ProductFile[] {
  return versions.get(versionId)?.orgId === orgId ? (files.get(versionId) ?? []) : [];
}

/** Sorts the files by position, then by name. */
function setFiles(memory: Memory, versionId: string, files: readonly ProductFile[]): void {
  const position = (name: string) => positionOf(memory, versionId, name);
  memory.files.set(
    versionId,
    files.toSorted((a, b) => position(a.name) - position(b.name) || (a.name < b.name ? -1 : 1)),
  );
}

function changeTime({ updatedAt }: Product, now: Date): Date {
  return new Date(Math.max(now.getTime(), updatedAt.getTime() + 1));
}

function withFiles(memory: Memory, version: ProductVersion & { readonly orgId: string }): VersionWithFiles {
  const { id } = version;
  const liveSince = memory.liveSince.get(id) ?? null;
  return { ...withoutOrg(version), liveSince, files: memory.files.get(id) ?? [] };
}

export function createInMemorySkuMappings(memory: Memory): SkuMappings {
  return {
    put: async (orgId, mapping) => {
      if (!memory.organisations.has(orgId)) return 'unknown-organisation';
      if (mapping.productId !== null && memory.products.get(mapping.productId)?.orgId !== orgId) {
        return 'unknown-product';
      }
      const key = `${orgId} ${mapping.platform ?? ''} ${mapping.sku}`;
      const former = memory.mappings.get(key);
      memory.mappings.set(key, { ...mapping, orgId });
      moveRevision(memory, orgId);
      return former?.productId === mapping.productId ? 'unchanged' : 'saved';
    },
    async *list(orgId) {
      const rows = rowsWhere(memory.mappings, { orgId });
      for (const row of [...rows].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))) yield withoutOrg(row);
    },
    listOf: async (orgId, productId, limit) =>
      [...rowsWhere(memory.mappings, { orgId, productId })]
        .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
        .slice(0, limit)
        .map(withoutOrg),
    remove: async (orgId, sku, platform) => {
      if (!memory.mappings.delete(`${orgId} ${platform ?? ''} ${sku}`)) return 'unknown';
      moveRevision(memory, orgId);
      return 'removed';
    },
  };
}

function orderOf({ sku, platform }: SkuMapping): string {
  return `${sku}\u0000${platform ?? ''}`;
}

function isSlugTaken({ products }: Memory, { id, orgId, slug }: Product): boolean {
  return rowsWhere(products, { orgId, slug }).some((other) => other.id !== id);
}

function withoutOrg<Row extends { readonly orgId: string }>({ orgId: _, ...row }: Row): Omit<Row, 'orgId'> {
  return row;
}
