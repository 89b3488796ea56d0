import type { Migration } from './migration-kinds.ts';

/** An Undo finds what the action revoked, and is still revoked by it. */
export const purchasesOfRevocations: Migration = {
  kind: 'indexes',
  compatibleWith: '0025-revocations',
  create: [
    {
      name: 'links_by_revocation',
      on: 'download_links (org_id, revocation_id, purchase_id) where revocation_id is not null',
    },
  ],
};
