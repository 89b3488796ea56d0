import type { ProductFile } from './product.ts';

/** A page of a library has at most so many purchases. */
export const LIBRARY_PAGE = 20;

/** One purchase in the library of its buyer, with its newest link. */
export interface LibraryItem {
  readonly orgId: string;
  readonly shop: { readonly name: string; readonly email: string };
  readonly purchaseId: string;
  readonly linkId: string;
  /** When that link expires. One that has expired stays so: the buyer can ask for a new one. */
  readonly expiresAt: Date;
  readonly productName: string;
  /** Null while there is none. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  readonly orderNumber: string | null;
  readonly boughtAt: Date;
}
