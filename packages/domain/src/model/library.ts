import type { ProductFile } from './product.ts';

/** A page of a library has at most so many purchases. */
export const LIBRARY_PAGE = 20;

/** One purchase in the library of its buyer. */
export interface LibraryItem {
  readonly orgId: string;
  readonly shop: { readonly name: string; readonly email: string };
  readonly purchaseId: string;
  /**
   * The newest, and when it expires. One that has expired stays so: the buyer can ask for a new one. Null: links of the purchase were
   * replaced since the mail from which the library was opened. That mail may be in the hands that they were replaced for, and so
   * leads to it no more.
   */
  readonly link: { readonly id: string; readonly expiresAt: Date } | null;
  readonly productName: string;
  /** Null while there is none. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  readonly orderNumber: string | null;
  readonly boughtAt: Date;
}
