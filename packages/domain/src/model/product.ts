/** Whether a product can be delivered. `versionId`: the version that buyers get now. */
export type Deliverability =
  | { readonly deliverable: true; readonly versionId: string }
  | { readonly deliverable: false; readonly why: 'draft' | 'no-live-version' };

/** Whether an order can deliver this product. A draft without a live version counts as a draft, which is fixed first. */
export function checkDeliverability(product: Pick<Product, 'status' | 'activeVersionId'>): Deliverability {
  if (product.status === 'draft') return { deliverable: false, why: 'draft' };
  if (product.activeVersionId === null) return { deliverable: false, why: 'no-live-version' };
  return { deliverable: true, versionId: product.activeVersionId };
}

/** A draft delivers nothing. An archived product is no longer for sale, but delivers what was paid for. */
export const PRODUCT_STATUSES = ['draft', 'published', 'archived'] as const;
/** The status of a product. */
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

/** A digital product. It delivers its active version, which is null until one is activated. */
export interface Product {
  /** UUID; never the slug. */
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  /** Lower-case letters, digits and hyphens; unique within the organisation. */
  readonly slug: string;
  readonly description: string | null;
  readonly status: ProductStatus;
  readonly activeVersionId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether the product has all of these values. A member that is left out, or undefined, is not compared. */
export function hasValues(product: Product, values: Partial<Product>): boolean {
  const members = Object.keys(values) as readonly (keyof Product)[];
  return members.every((member) => values[member] === undefined || values[member] === product[member]);
}

/** `ready`: it has been active at least once, so no file is added or replaced. `preparing`: files can still be added. */
export type ProductVersionStatus = 'preparing' | 'ready';

/** A version of a product, with its own files. */
export interface ProductVersion {
  readonly id: string;
  readonly productId: string;
  /** Dotted label, such as 2.1.0; unique within the product. */
  readonly version: string;
  readonly status: ProductVersionStatus;
  readonly createdAt: Date;
}

/** A file of a version. */
export interface ProductFile {
  /** The file name of the download; unique within the version. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content, 64 lower-case hex digits: also its address in the file store. */
  readonly sha256: string;
  /** The name on buyers' pages and in their mails, such as “Windows”. Absent: `name`. */
  readonly displayName?: string;
}

/** The name of a file on buyers' pages and in their mails. */
export function nameForBuyers({ name, displayName }: Pick<ProductFile, 'name' | 'displayName'>): string {
  return displayName ?? name;
}

/** The maximum number of files that a mail names. */
export const MAX_FILES_IN_MAILS = 6;

/** The names of the files that a mail lists, in their order; none unless a file has a `displayName`. */
export function listFilesInMail(files: readonly ProductFile[]): readonly string[] {
  const isNamed = files.some(({ displayName }) => displayName !== undefined);
  return isNamed ? files.slice(0, MAX_FILES_IN_MAILS).map(nameForBuyers) : [];
}

/** A product with its active version. */
export interface ProductListRow {
  readonly product: Product;
  readonly activeVersion: ProductVersion | null;
}

/**
 * Makes a slug from a text: NFKC, lower case, each run of characters other than a to z and digits becomes one hyphen, with
 * none at the ends. An empty result is not a slug.
 */
export function normalizeSlug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
