import type { ProductFile } from './product.ts';

/** A link and what its page shows. */
export interface DownloadPage {
  readonly linkId: string;
  readonly orgId: string;
  readonly purchaseId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly usedAt: Date | null;
  readonly organisation: { readonly name: string; readonly email: string };
  readonly customer: { readonly name: string; readonly email: string };
  readonly orderNumber: string | null;
  readonly productName: string;
  /** The version that was bought; one bought before there was any gets the live one. Null while there is none. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  /** The label of the live version, if it came after the one that was bought. */
  readonly newerVersion: string | null;
}
