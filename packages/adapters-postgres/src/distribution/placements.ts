/**
 * Where a table is on a database that is distributed with Citus. `distributed`: the rows of an organisation are on one
 * node, beside those of its other distributed tables. `reference`: all rows are on every node. `local`: all rows are on the
 * coordinator.
 */
export type Placement =
  | { readonly kind: 'distributed' }
  | { readonly kind: 'reference' | 'local'; readonly why: string };

const distributed: Placement = { kind: 'distributed' };
const reference = (why: string): Placement => ({ kind: 'reference', why });
const local = (why: string): Placement => ({ kind: 'local', why });

/** The column whose value decides on which node a row is. */
export const DISTRIBUTION_COLUMN = 'org_id';

/** Every table. The other distributed tables are colocated with the first one. */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  catalogues: distributed,
  products: distributed,
  product_versions: distributed,
  version_files: distributed,
  sku_mappings: distributed,
  connections: distributed,
  connection_secrets: distributed,
  used_proofs: distributed,
  refunds: distributed,
  rejection_counts: distributed,
  rejected_deliveries: distributed,
  invitations: distributed,
  customers: distributed,
  outgoing_emails: distributed,
  purchases: distributed,
  purchase_aliases: distributed,
  idempotency_keys: distributed,
  download_links: distributed,
  download_sessions: distributed,
  download_session_files: distributed,
  delivery_bodies: distributed,
  deliveries: distributed,
  delivery_lines: distributed,
  alerts: distributed,
  dismissals: distributed,
  activity: distributed,
  releases: distributed,
  bulk_actions: distributed,
  removable_contents: distributed,
  mail_counts: distributed,
  organisations: reference('Every table of an organisation refers to it.'),
  users: reference('An address is unique among all users, and statements of an organisation join them.'),
  payment_accounts: reference('An account is found before its organisation is known.'),
  api_keys: local('A key is found before its organisation is known.'),
  sign_ins: local('Users belong to no organisation until they join one.'),
  user_sessions: local('A session is found before its organisation is known.'),
  user_devices: local('Users belong to no organisation until they join one.'),
  passkeys: local('A passkey is found before its user is known.'),
  passkey_challenges: local('A challenge is found before its user is known.'),
  unassigned_deliveries: local('They have no organisation yet.'),
  shared_secrets: local('They verify requests before their organisation is known.'),
  jobs: local('A worker claims jobs of all organisations at once.'),
  leases: local('They are of the installation.'),
  throttles: local('They are of the installation.'),
  kysely_migration: local('It is of the installation.'),
};
