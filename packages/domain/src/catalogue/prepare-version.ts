import type { Product, ProductFile, ProductVersion } from '../model/product.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { FileStore, Products, StoredContent, VersionWithFiles } from '../ports/catalogue.ts';
import type { Clock, Ids } from '../ports/clock.ts';

/** `label-taken`: the product has a version with that label. */
export type CreateVersionResult =
  | { readonly kind: 'created'; readonly version: ProductVersion }
  | { readonly kind: 'unknown-product' }
  | InvalidInput
  | { readonly kind: 'label-taken'; readonly label: string };

/** Creates a version of a product, without files. */
export async function createVersion(
  ports: { readonly clock: Clock; readonly ids: Ids; readonly products: Products },
  orgId: string,
  productId: string,
  label: string,
): Promise<CreateVersionResult> {
  const product = await ports.products.find(orgId, productId);
  if (!product) return { kind: 'unknown-product' };
  const text = label.trim();
  if (!/^[0-9A-Za-z]+([.+_ -][0-9A-Za-z]+)*$/.test(text) || text.length > 50) {
    const problem =
      'must be a label such as 1.0.2 or 2.0 beta: letters, digits and single spaces or . - _ + between, at most 50';
    return { kind: 'invalid', field: 'version', problem };
  }
  const version: ProductVersion = {
    id: ports.ids.next(),
    productId: product.id,
    version: text,
    status: 'preparing',
    createdAt: ports.clock.now(),
  };
  const outcome = await ports.products.addVersion(orgId, version);
  return outcome === 'added' ? { kind: 'created', version } : { kind: 'label-taken', label: text };
}

/** `frozen`: the version with that label is `ready`, so it takes no more files. */
type ReopenVersionResult =
  | { readonly kind: 'open'; readonly version: VersionWithFiles; readonly isNew: boolean }
  | { readonly kind: 'frozen' }
  | Exclude<CreateVersionResult, { readonly kind: 'created' | 'label-taken' }>;

/** Finds the product's version with that label, if it still takes files; creates it if there is none. */
export async function reopenVersion(
  ports: { readonly clock: Clock; readonly ids: Ids; readonly products: Products },
  orgId: string,
  productId: string,
  label: string,
): Promise<ReopenVersionResult> {
  const created = await createVersion(ports, orgId, productId, label);
  if (created.kind === 'created') {
    return { kind: 'open', version: { ...created.version, liveSince: null, files: [] }, isNew: true };
  }
  if (created.kind !== 'label-taken') return created;
  const version = await ports.products.findVersionByLabel(orgId, productId, created.label);
  if (!version) return { kind: 'unknown-product' };
  return version.status === 'ready' ? { kind: 'frozen' } : { kind: 'open', version, isNew: false };
}

/** `frozen`: the version is `ready`, so it takes no more files; create a new one. */
export type AddVersionFileResult = PutVersionFileResult | { readonly kind: 'unknown-version' } | InvalidInput;

/** `isNew`: false if the version had the same file already. */
export type PutVersionFileResult =
  | { readonly kind: 'added'; readonly file: ProductFile; readonly isNew: boolean }
  | { readonly kind: 'frozen' };

/** The version and the name of a file. */
export interface FilePlace {
  readonly orgId: string;
  readonly productId: string;
  readonly versionId: string;
  readonly name: string;
}

/** Streams one file into a version that is `preparing`. An interrupted transfer stores nothing. */
export async function addVersionFile(
  ports: { readonly products: Products; readonly files: Pick<FileStore, 'store'> },
  at: FilePlace,
  content: AsyncIterable<Uint8Array>,
): Promise<AddVersionFileResult> {
  const stored = await storeVersionFile(ports, at, content);
  return stored.kind === 'stored' ? putVersionFile(ports, at, stored.content) : stored;
}

/** The first and long step of `addVersionFile`: stores the content, which `putVersionFile` makes a file of the version. */
export async function storeVersionFile(
  ports: { readonly products: Products; readonly files: Pick<FileStore, 'store'> },
  at: FilePlace,
  content: AsyncIterable<Uint8Array>,
): Promise<
  | { readonly kind: 'stored'; readonly content: StoredContent }
  | Exclude<AddVersionFileResult, { readonly kind: 'added' }>
> {
  const checked = await checkFilePlace(ports, at);
  if (checked.kind !== 'open') return checked;
  return { kind: 'stored', content: await ports.files.store(at.orgId, content) };
}

/**
 * Whether a file may be added there. It is checked before an upload to save the sender's time, and again by
 * `putVersionFile`, because the version may be activated in between.
 */
export async function checkFilePlace(
  { products }: { readonly products: Products },
  { orgId, productId, versionId, name }: FilePlace,
): Promise<{ readonly kind: 'open' } | Exclude<AddVersionFileResult, { readonly kind: 'added' }>> {
  const problem = checkFileName(name);
  if (problem) return { kind: 'invalid', field: 'name', problem };
  const version = await products.findVersion(orgId, productId, versionId);
  if (!version) return { kind: 'unknown-version' };
  return { kind: version.status === 'ready' ? 'frozen' : 'open' };
}

/** Makes a stored content a file of a version. The caller has checked the place: see `checkFilePlace`. */
export async function putVersionFile(
  { products }: { readonly products: Products },
  { orgId, versionId, name }: FilePlace,
  { size, sha256 }: StoredContent,
): Promise<PutVersionFileResult> {
  const file: ProductFile = { name, size, sha256 };
  const outcome = await products.putFile(orgId, versionId, file);
  return outcome === 'frozen' ? { kind: 'frozen' } : { kind: 'added', file, isNew: outcome === 'saved' };
}

/** `no-files`: the version has no files. */
export type ActivateVersionResult =
  | { readonly kind: 'activated'; readonly product: Product; readonly version: VersionWithFiles }
  | { readonly kind: 'unknown-version' }
  | { readonly kind: 'no-files' };

/** Makes a version the active one of its product: buyers get it from now on, and it takes no more files. */
export async function activateVersion(
  ports: { readonly clock: Clock; readonly products: Products },
  orgId: string,
  productId: string,
  versionId: string,
): Promise<ActivateVersionResult> {
  const version = await ports.products.findVersion(orgId, productId, versionId);
  if (!version) return { kind: 'unknown-version' };
  const outcome = await ports.products.activate(orgId, productId, version.id, ports.clock.now());
  if (outcome === 'no-files') return { kind: 'no-files' };
  const product = await ports.products.find(orgId, productId);
  const ready = await ports.products.findVersion(orgId, productId, versionId);
  return product && ready ? { kind: 'activated', product, version: ready } : { kind: 'unknown-version' };
}

function checkFileName(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'must be a file name';
  if (name.length > 200) return 'must be at most 200 characters';
  if (/[/\\\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u.test(name))
    return 'must not hold slashes or control characters';
  if (name !== name.trim()) return 'must not begin or end with a blank';
  return null;
}
