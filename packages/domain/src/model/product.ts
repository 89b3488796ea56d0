/** `versionId`: what a buyer gets now. `why`: what must be done first; the draft is named before the version. */
export type Deliverability =
  | { readonly deliverable: true; readonly versionId: string }
  | { readonly deliverable: false; readonly why: 'draft' | 'no-live-version' };

/**
 * Whether a webhook may deliver this product. Archived products still deliver what was paid for. When both are wrong
 * the draft is named first: publishing is what the operator will do first.
 */
export function checkDeliverability(product: Pick<Product, 'status' | 'activeVersionId'>): Deliverability {
  if (product.status === 'draft') return { deliverable: false, why: 'draft' };
  if (product.activeVersionId === null) return { deliverable: false, why: 'no-live-version' };
  return { deliverable: true, versionId: product.activeVersionId };
}

/** A draft delivers nothing. An archived product is no longer for sale, but delivers what was paid for. */
export const PRODUCT_STATUSES = ['draft', 'published', 'archived'] as const;
/** Whether a product is sold. */
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

/** What is sold. It delivers its active version, which is null until one is activated. */
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

/** `ready`: it has been active at least once, so its files are frozen. `preparing`: files may still be added. */
export type ProductVersionStatus = 'preparing' | 'ready';

/** One state of a product, with files of its own. Once it was active its files never change. */
export interface ProductVersion {
  readonly id: string;
  readonly productId: string;
  /** Dotted label, such as 2.1.0; unique within the product. */
  readonly version: string;
  readonly status: ProductVersionStatus;
  readonly createdAt: Date;
}

/** A file as the buyer gets it. */
export interface ProductFile {
  /** The name that the buyer's copy gets; unique within the version. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, 64 lower-case hex digits: also its address in the file store. */
  readonly sha256: string;
  /** What pages and mails call it for buyers, such as “Windows”. Left out: its name. */
  readonly displayName?: string;
}

/** What a file is called for buyers. */
export function nameForBuyers({ name, displayName }: Pick<ProductFile, 'name' | 'displayName'>): string {
  return displayName ?? name;
}

/** A mail names at most so many files. */
export const MAX_FILES_IN_MAILS = 6;

/** The files that a mail names, in their order: none unless one has a name for buyers. */
export function listFilesInMail(files: readonly ProductFile[]): readonly string[] {
  const isNamed = files.some(({ displayName }) => displayName !== undefined);
  return isNamed ? files.slice(0, MAX_FILES_IN_MAILS).map(nameForBuyers) : [];
}

/** A product with the version that it delivers now. */
export interface ProductListRow {
  readonly product: Product;
  readonly activeVersion: ProductVersion | null;
}

/**
 * The slug that a text normalises to: NFKC, lower case, runs of anything but letters a to z and digits become one
 * hyphen, none at the ends. May be empty: then it is not a slug.
 */
export function normalizeSlug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
