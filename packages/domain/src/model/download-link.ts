import type { Language } from './language.ts';
import type { ProductFile } from './product.ts';

/** How long a link works after it was created, mailed, opened or used for a file. */
export const LINK_LIFETIME_MS = 48 * 60 * 60 * 1000;

/** A download link of a purchase. It works until it expires; each opening and each fetched file extends it. */
export interface DownloadLink {
  readonly id: string;
  readonly orgId: string;
  readonly purchaseId: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** When a link expires that is mailed, opened or used at this time. */
export function linkExpiry(from: Date): Date {
  return new Date(from.getTime() + LINK_LIFETIME_MS);
}

/** A link that is created at `now`. */
export function makeLink(of: Pick<DownloadLink, 'id' | 'orgId' | 'purchaseId'>, now: Date): DownloadLink {
  return { ...of, expiresAt: linkExpiry(now), createdAt: now };
}

/** A link, and what its page shows. */
export interface DownloadPage {
  readonly linkId: string;
  readonly orgId: string;
  readonly purchaseId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** Whether it is revoked while another link of the purchase works: the address was corrected, or the links were replaced. */
  readonly isReplaced: boolean;
  readonly usedAt: Date | null;
  readonly organisation: { readonly name: string; readonly email: string; readonly language: Language };
  readonly customer: { readonly name: string; readonly email: string };
  readonly orderNumber: string | null;
  readonly productName: string;
  /** The version that was bought, or the live one if there was none at that time. Null while there is none. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  /** The label of the live version, if it is newer than the one that was bought. */
  readonly newerVersion: string | null;
}
