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
