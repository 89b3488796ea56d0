/** How long a link works after it was made, sent or last opened. */
export const LINK_LIFETIME_MS = 48 * 60 * 60 * 1000;

export interface DownloadLink {
  readonly id: string;
  readonly orgId: string;
  readonly purchaseId: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export function linkExpiry(from: Date): Date {
  return new Date(from.getTime() + LINK_LIFETIME_MS);
}
