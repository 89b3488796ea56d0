/** How a table is exported and imported. */
export interface TransferredTable {
  readonly name: string;
  /**
   * Which rows are those of one organisation, whose id is `$org`. Null: none; the table is of the installation alone.
   */
  readonly ofOrganisation: string | null;
  /** A column that refers to a later table: it is set once that table has its rows. */
  readonly setLater?: { readonly column: string; readonly after: string; readonly key: readonly string[] };
}

const ofOrganisation = 'org_id = $org';
const tenant = (name: string): TransferredTable => ({ name, ofOrganisation });
const global = (name: string): TransferredTable => ({ name, ofOrganisation: null });

/** Every table with data, each after those that it refers to. */
export const TRANSFERRED: readonly TransferredTable[] = [
  { name: 'organisations', ofOrganisation: 'id = $org' },
  tenant('users'),
  { name: 'api_keys', ofOrganisation: 'user_id in (select id from users where org_id = $org)' },
  // Links and sessions of one site say nothing to another.
  global('sign_ins'),
  global('user_sessions'),
  global('user_devices'),
  // They work at one address only.
  global('passkeys'),
  global('passkey_challenges'),
  tenant('invitations'),
  tenant('catalogues'),
  {
    name: 'products',
    ofOrganisation,
    setLater: { column: 'active_version_id', after: 'product_versions', key: ['org_id', 'id'] },
  },
  tenant('product_versions'),
  tenant('version_files'),
  tenant('removable_contents'),
  tenant('sku_mappings'),
  tenant('connections'),
  tenant('connection_secrets'),
  tenant('used_proofs'),
  tenant('rejection_counts'),
  tenant('rejected_deliveries'),
  // Its operator decides whose an account is.
  global('payment_accounts'),
  global('shared_secrets'),
  global('unassigned_deliveries'),
  tenant('customers'),
  tenant('outgoing_emails'),
  tenant('purchases'),
  tenant('purchase_aliases'),
  tenant('idempotency_keys'),
  tenant('download_links'),
  tenant('download_sessions'),
  tenant('download_session_files'),
  tenant('delivery_bodies'),
  tenant('deliveries'),
  tenant('delivery_lines'),
  tenant('alerts'),
  tenant('dismissals'),
  tenant('activity'),
  tenant('releases'),
  tenant('bulk_actions'),
  // What this installation's mail server was given in the last hours.
  global('mail_counts'),
  // Last: a job may start as soon as it is there.
  tenant('jobs'),
];

/** Tables of the installation that say something about organisations. Exports of earlier programs had them for each one. */
export const LEFT_WITH_INSTALLATION: readonly string[] = ['payment_accounts', 'mail_counts'];

/** What only running processes need: whose turn it is, and who asked too often in the last minutes. */
export const LEFT_OUT: readonly string[] = ['leases', 'throttles'];
