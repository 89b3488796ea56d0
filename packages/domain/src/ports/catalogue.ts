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
  add(product: Product): Promise<'added' | 'slug-taken'>;
  /**
   * Changes just the members that are given, in one step, so that changes made at the same moment all stay. `updatedAt`
   * becomes `now`, or a millisecond more than it was if that is later. Moves the catalogue's revision. With `expected`, a
   * product of which one of these is different counts as unknown.
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
   * Adds or replaces one file while the version is still `preparing`. `unchanged`: it has that very file already; of
   * several who bring it at once, one is told `saved`.
   */
  putFile(orgId: string, versionId: string, file: ProductFile): Promise<'saved' | 'unchanged' | 'frozen'>;
  /** Sets what buyers see instead of the file's name, of a version in any state; null: its name. False: no such file. */
  nameFile(orgId: string, versionId: string, name: string, displayName: string | null): Promise<boolean>;
  /**
   * Puts the files of a version, in any state, into the order of these names. A file that is added afterwards comes last.
   * `changed`: these are not all its files, and nothing was done.
   */
  orderFiles(orgId: string, versionId: string, names: readonly string[]): Promise<'ordered' | 'changed'>;
  /**
   * Takes a file out of a version, unless buyers can get it: `live`, or `bought` by somebody, whose links serve it. `last`:
   * a version that is `ready` keeps one, because it can go live at any time. No version goes live, and no order is
   * decided, in between. Moves the catalogue's revision. Answers with the file.
   */
  removeFile(
    orgId: string,
    productId: string,
    versionId: string,
    name: string,
  ): Promise<ProductFile | 'live' | 'bought' | 'last' | 'unknown-file'>;
  /**
   * Sets the version `ready` and makes it the product's active one, in one step. Moves the catalogue's revision, and
   * `updatedAt` as `change` does.
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

/** New values for what may change of a product; what is absent stays. */
export type ProductValues = Partial<
  Pick<Product, 'name' | 'slug' | 'description' | 'status' | 'activeVersionId'>
>;

/** What decides whether and what a product delivers. */
export type ProductState = Partial<Pick<Product, 'status' | 'activeVersionId'>>;

/** A version with its files. */
export interface VersionWithFiles extends ProductVersion {
  /** When it last became the active one. Null: never, or before that was written down. */
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
   * The content from `start` (inclusive, default 0) to `end` (exclusive, default its size); null when unknown. Chunks may
   * lie in the bytes that `lend` gives for each, and then hold until the next one is asked for; without, each stays as it is.
   */
  open(
    orgId: string,
    sha256: string,
    range?: { readonly start: number; readonly end: number; readonly lend?: () => Uint8Array },
  ): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes a content; one that is unknown is removed already. Who reads it at this moment may be cut off. */
  remove(orgId: string, sha256: string): Promise<void>;
  /**
   * Only of a store that was told to hand out addresses of its own: one under which anyone gets the content, and any
   * range of it, until so many seconds from now, with that `Content-Disposition`. Null when the content is unknown.
   * What goes out under it goes past us, so nobody counts its bytes.
   */
  presign?(
    orgId: string,
    sha256: string,
    terms: { readonly seconds: number; readonly disposition: string },
  ): Promise<string | null>;
}

/** Announces a content whose bytes have all come, and whose place nobody may remove from then on. */
export type AnnounceContent = (content: ContentAddress) => Promise<'kept' | 'removing'>;

/** What is kept: its bytes, and its SHA-256 in 64 lower-case hex digits. */
export interface StoredContent {
  readonly size: number;
  readonly sha256: string;
}

/** Uploads that come in piece by piece, from their first byte until a while after their content became a file. */
export interface StagedUploads {
  /**
   * Puts the content of an upload that is whole into the file store, as `FileStore.store` would. It stays staged, so
   * that this can be done again after a crash. `damaged`: its hash is not the expected one, and nothing was kept.
   */
  keep(orgId: string, uploadId: string, expectedSha256: string | null): Promise<StoredContent | 'damaged'>;
  /** Notes which file the upload has become, and lets go of its bytes. */
  complete(uploadId: string, file: ProductFile): Promise<void>;
  /** The file that the upload has become; null while it has not, and for an upload that is unknown. */
  findCompleted(uploadId: string): Promise<ProductFile | null>;
  /** Forgets the upload and whatever has come in of it. */
  discard(uploadId: string): Promise<void>;
}

/** What the SKUs of shops stand for. */
export interface SkuMappings {
  /**
   * Adds or replaces the mapping of that SKU (and platform). Moves the catalogue's revision. `unchanged`: it says so already. Of two
   * equal ones at once, one is `saved`.
   */
  put(
    orgId: string,
    mapping: SkuMapping,
  ): Promise<'saved' | 'unchanged' | 'unknown-product' | 'unknown-organisation'>;
  /** Every mapping, by SKU and then by platform, those for all platforms first. */
  list(orgId: string): AsyncIterable<SkuMapping>;
  /** Mappings to that product, by SKU and then by platform, at most `limit`. */
  listOf(orgId: string, productId: string, limit: number): Promise<readonly SkuMapping[]>;
  /** Takes the mapping of that SKU (normalized) and platform away. Moves the catalogue's revision. */
  remove(orgId: string, sku: string, platform: Platform | null): Promise<'removed' | 'unknown'>;
}
