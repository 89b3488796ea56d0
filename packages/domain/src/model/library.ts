import type { ProductFile } from './product.ts';

/** The maximum number of purchases on a page of a library. */
export const LIBRARY_PAGE = 20;

/** One purchase in the library of its buyer. */
export interface LibraryItem {
  readonly orgId: string;
  readonly shop: { readonly name: string; readonly email: string };
  readonly purchaseId: string;
  /**
   * The newest link. If it has expired, the buyer can request a new one. Null: the links of the purchase were replaced after the
   * mail from which the library was opened. They were replaced because somebody else may have them, and maybe that mail too.
   */
  readonly link: { readonly id: string; readonly expiresAt: Date } | null;
  readonly productName: string;
  /** Null while the product has no live version. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  readonly orderNumber: string | null;
  readonly boughtAt: Date;
}
