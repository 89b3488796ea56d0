import type { Language } from './language.ts';
import type { ProductFile } from './product.ts';

/** How long a link works after it was made, sent or last opened. */
export const LINK_LIFETIME_MS = 48 * 60 * 60 * 1000;

/** One link to what was bought. It works until it expires, and each opening and each file moves that on. */
export interface DownloadLink {
  readonly id: string;
  readonly orgId: string;
  readonly purchaseId: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** When a link expires that is sent, opened or used at that time. */
export function linkExpiry(from: Date): Date {
  return new Date(from.getTime() + LINK_LIFETIME_MS);
}

/** A link that is made at `now`. */
export function makeLink(of: Pick<DownloadLink, 'id' | 'orgId' | 'purchaseId'>, now: Date): DownloadLink {
  return { ...of, expiresAt: linkExpiry(now), createdAt: now };
}

/** A link and what its page shows. */
export interface DownloadPage {
  readonly linkId: string;
  readonly orgId: string;
  readonly purchaseId: string;
  /** When it was made, for a mail. */
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** It is revoked, and another link of the purchase is not: the address was corrected, or its links were replaced. */
  readonly isReplaced: boolean;
  readonly usedAt: Date | null;
  readonly organisation: { readonly name: string; readonly email: string; readonly language: Language };
  readonly customer: { readonly name: string; readonly email: string };
  readonly orderNumber: string | null;
  readonly productName: string;
  /** The version that was bought; one bought before there was any gets the live one. Null while there is none. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  /** The label of the live version, if it came after the one that was bought. */
  readonly newerVersion: string | null;
}
