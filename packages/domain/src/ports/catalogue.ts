import type { Platform } from '../model/platform.ts';
import type {
  Product,
  ProductFile,
  ProductListRow,
  ProductStatus,
  ProductVersion,
} from '../model/product.ts';
import type { SkuMapping } from '../model/sku-mapping.ts';
import type { ContentAddress } from './contents.ts';

/** What pages, lists and use cases read of products. */
export interface ProductReads {
  /** Every product, newest first, without holding them in memory. */
  list(orgId: string): AsyncIterable<ProductListRow>;
  /** Products that match, newest first (by id), older than the one with id `before` if that is given. */
  search(orgId: string, query: ProductQuery): Promise<readonly ProductListRow[]>;
  find(orgId: string, productId: string): Promise<Product | null>;
  /** Versions of a product with their files, newest first (by id), at most `limit`. */
  listVersions(orgId: string, productId: string, limit: number): Promise<readonly VersionWithFiles[]>;
  findVersion(orgId: string, productId: string, versionId: string): Promise<VersionWithFiles | null>;
  findVersionByLabel(orgId: string, productId: string, label: string): Promise<VersionWithFiles | null>;
  /** The files of these versions, by version; a version without files is left out. At most 1,000 versions. */
  listFiles(
    orgId: string,
    versionIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ProductFile[]>>;
}

/** What is sold: products, their versions and the files of those. Contents are in the {@link FileStore}. */
export interface Products extends ProductReads {
  /** `slug`: as it is kept, normalised. */
  findBySlug(orgId: string, slug: string): Promise<Product | null>;
  /**
   * As `find`. Within a transaction, nobody else changes the catalogue from now to its end, so that what is found is the
   * state before a change that follows. Orders wait as well: call it only for a change that follows at once.
   */
  findToChange(orgId: string, productId: string): Promise<Product | null>;
  add(product: Product): Promise<'added' | 'slug-taken'>;
  /**
   * Changes only the given members, atomically, so that concurrent changes of other members are kept. `updatedAt` becomes
   * `now`, or a millisecond after its old value if that is later. Moves the catalogue's revision. Where all members have
   * these values already, nothing changes. With `expected`, a product that differs in one of these members counts as
   * unknown.
   */
  change(
    orgId: string,
    productId: string,
    change: ProductValues,
    now: Date,
    expected?: ProductState,
  ): Promise<Product | 'slug-taken' | 'unknown-product'>;
  addVersion(orgId: string, version: ProductVersion): Promise<'added' | 'label-taken'>;
  /**
   * Adds or replaces one file while the version is still `preparing`. `unchanged`: the version has that very file
   * already. Of several concurrent calls with the same file, one gets `saved`.
   */
  putFile(orgId: string, versionId: string, file: ProductFile): Promise<'saved' | 'unchanged' | 'frozen'>;
  /**
   * Sets the name that buyers see instead of the file's name; null: they see the file's name. The version may be in any
   * state. False: no such file.
   */
  nameFile(orgId: string, versionId: string, name: string, displayName: string | null): Promise<boolean>;
  /**
   * Puts the files of a version, in any state, into the order of these names. A file that is added afterwards comes last.
   * `changed`: these are not all its files, and nothing was done.
   */
  orderFiles(orgId: string, versionId: string, names: readonly string[]): Promise<'ordered' | 'changed'>;
  /**
   * Removes a file from a version and returns it, unless buyers can get it: the version is `live`, or somebody has
   * `bought` it, so that links serve the file. `last`: a `ready` version keeps at least one file, because it can go live
   * at any time. No version goes live, and no order is decided, between the check and the removal. Moves the catalogue's
   * revision.
   */
  removeFile(
    orgId: string,
    productId: string,
    versionId: string,
    name: string,
  ): Promise<ProductFile | 'live' | 'bought' | 'last' | 'unknown-file'>;
  /**
   * Sets the version `ready` and makes it the product's active one, in one step. Moves the catalogue's revision, and
   * `updatedAt` as `change` does. Where it is active already, nothing changes.
   * `no-files` is checked in the same step, so that no version goes live empty.
   */
  activate(orgId: string, productId: string, versionId: string, now: Date): Promise<'activated' | 'no-files'>;
}

/**
 * Which products to list. `before`: the id of the last one of the page before, compared as an id, whether that product is
 * there or not.
 */
export interface ProductQuery {
  /** What name or slug must hold, in any case; blank for all. */
  readonly text: string;
  readonly status: ProductStatus | null;
  readonly before: string | null;
  readonly limit: number;
}

/** New values for the members of a product that may change; an absent member keeps its value. */
export type ProductValues = Partial<
  Pick<Product, 'name' | 'slug' | 'description' | 'status' | 'activeVersionId'>
>;

/** What decides whether and what a product delivers. */
export type ProductState = Partial<Pick<Product, 'status' | 'activeVersionId'>>;

/** A version with its files. */
export interface VersionWithFiles extends ProductVersion {
  /** When it last became the active version. Null: never, or before this time was recorded. */
  readonly liveSince: Date | null;
  /** In the order in which buyers see them: by name, until they are ordered. */
  readonly files: readonly ProductFile[];
}

/** The bytes of product files, kept by organisation and content. */
export interface FileStore {
  /**
   * Streams the content to its place and answers with its size and hash. It appears whole or not at all; content
   * that is there already is left as it is. Rejects when the source or the disk fails. A store that was given an
   * {@link AnnounceContent} calls it before the content is at its place, and rejects without it (`content-removing`).
   */
  store(orgId: string, content: AsyncIterable<Uint8Array>): Promise<StoredContent>;
  /**
   * The content from `start` (inclusive, default 0) to `end` (exclusive, default its size); null when unknown. With
   * `lend`, a chunk may use the buffer that `lend` returns for it, and is valid until the next chunk is requested;
   * without it, chunks stay valid.
   */
  open(
    orgId: string,
    sha256: string,
    range?: { readonly start: number; readonly end: number; readonly lend?: () => Uint8Array },
  ): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes a content; removing an unknown one is not an error. Reads in progress may be cut off. */
  remove(orgId: string, sha256: string): Promise<void>;
  /**
   * Only stores that are configured for presigned URLs have it. Returns a URL under which anyone gets the content, and
   * any range of it, for this many seconds, with that `Content-Disposition`. Null if the content is unknown. Such downloads
   * do not pass through this service, so their bytes are not counted.
   */
  presign?(
    orgId: string,
    sha256: string,
    terms: { readonly seconds: number; readonly disposition: string },
  ): Promise<string | null>;
}

/** Announces a content whose bytes have all arrived. It must not be removed from then on. */
export type AnnounceContent = (content: ContentAddress) => Promise<'kept' | 'removing'>;

/** What is kept: its bytes, and its SHA-256 in 64 lower-case hex digits. */
export interface StoredContent {
  readonly size: number;
  readonly sha256: string;
}

/** Uploads that arrive in pieces, from their first byte until some time after their content became a file. */
export interface StagedUploads {
  /**
   * Copies the content of a complete upload into the file store, as `FileStore.store` would. It stays staged, so that the
   * call can be repeated after a crash. `damaged`: its hash is not the expected one, and nothing was stored.
   */
  keep(orgId: string, uploadId: string, expectedSha256: string | null): Promise<StoredContent | 'damaged'>;
  /** Records which file the upload has become, and deletes its staged bytes. */
  complete(uploadId: string, file: ProductFile): Promise<void>;
  /** The file that the upload has become; null while it has not, and for an upload that is unknown. */
  findCompleted(uploadId: string): Promise<ProductFile | null>;
  /** Deletes the upload and all of its bytes. */
  discard(uploadId: string): Promise<void>;
}

/** The products that the SKUs of shops deliver. */
export interface SkuMappings {
  /**
   * Adds or replaces the mapping of that SKU (and platform). Moves the catalogue's revision. `unchanged`: the mapping is
   * the same already. Of two equal concurrent calls, one gets `saved`.
   */
  put(
    orgId: string,
    mapping: SkuMapping,
  ): Promise<'saved' | 'unchanged' | 'unknown-product' | 'unknown-organisation'>;
  /** Every mapping, by SKU and then by platform, those for all platforms first. */
  list(orgId: string): AsyncIterable<SkuMapping>;
  /** Mappings to that product, by SKU and then by platform, at most `limit`. */
  listOf(orgId: string, productId: string, limit: number): Promise<readonly SkuMapping[]>;
  /** Removes the mapping of that SKU (normalized) and platform. Moves the catalogue's revision. */
  remove(orgId: string, sku: string, platform: Platform | null): Promise<'removed' | 'unknown'>;
}
