import type { Migration } from './migration-kinds.ts';

/** Sums say how much of them is revoked: this finds the few revoked purchases among all. */
export const revokedLinks: Migration = {
  kind: 'indexes',
  compatibleWith: '0026-purchases-of-revocations',
  create: [
    { name: 'links_revoked', on: 'download_links (org_id, purchase_id) where revoked_at is not null' },
  ],
};
