import type { Migration } from './migration-kinds.ts';

/** Downloads are searched by the customer whom their link was made for. There are few: an order writes none. */
export const linksOfFormerCustomers: Migration = {
  kind: 'indexes',
  compatibleWith: '0027-revoked-links',
  create: [
    {
      name: 'links_of_former_customer',
      on: 'download_links (org_id, customer_id) where customer_id is not null',
    },
  ],
};
