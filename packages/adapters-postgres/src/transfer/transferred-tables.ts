import pg from 'pg';

/** How a table is exported and imported. */
export interface TransferredTable {
  readonly name: string;
  /**
   * The condition for the rows of the organisation with the id `$org`. Null: the table belongs to the installation alone.
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
  // Sign-in links and sessions are valid at one installation only.
  global('sign_ins'),
  global('user_sessions'),
  global('user_devices'),
  // Browsers use a passkey at one domain only.
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
  tenant('refunds'),
  tenant('rejection_counts'),
  tenant('rejected_deliveries'),
  // The operator of an installation decides which organisation an account belongs to.
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
  // The mails that this installation sent in the last hours.
  global('mail_counts'),
  // Last, because a job may start as soon as it exists.
  tenant('jobs'),
];

/** Tables of the installation that refer to organisations. Exports of an organisation by older versions contain them. */
export const LEFT_WITH_INSTALLATION: readonly string[] = ['payment_accounts', 'mail_counts'];

/** Tables that are not exported, because only running processes need them. */
export const LEFT_OUT: readonly string[] = ['leases', 'throttles'];

/** A partition of the bodies, as PostgreSQL describes it. */
export interface TransferredWeek {
  readonly table: string;
  /** Such as `FOR VALUES FROM ('…') TO ('…')`. */
  readonly bounds: string;
}

export async function listWeeks(client: pg.ClientBase): Promise<readonly TransferredWeek[]> {
  const { rows } = await client.query<TransferredWeek>(
    `select leaf.relname as "table", pg_get_expr(leaf.relpartbound, leaf.oid) as bounds
     from pg_inherits join pg_class leaf on leaf.oid = inhrelid
     where inhparent = to_regclass('delivery_bodies') and leaf.relname <> 'delivery_bodies_default' order by 1`,
  );
  return rows;
}

/**
 * Creates the partitions of an export. Otherwise all imported bodies would be in the default partition, which is locked and read
 * whole for each week that is created later. Weeks that overlap with existing ones are left out.
 */
export async function makeWeeks(client: pg.ClientBase, weeks: readonly TransferredWeek[]): Promise<void> {
  for (const { table, bounds } of weeks.filter(isWeek)) {
    const name = pg.escapeIdentifier(table);
    await client.query('savepoint week');
    await client
      .query(
        `create table ${name} (like delivery_bodies including all);
         alter table delivery_bodies attach partition ${name} ${bounds}`,
      )
      .catch(() => client.query('rollback to savepoint week'));
  }
}

/** The manifest of an export can hold anything. */
function isWeek({ table, bounds }: TransferredWeek): boolean {
  return (
    /^delivery_bodies_\w+$/.test(table) &&
    /^FOR VALUES FROM \((MINVALUE|'[\da-f-]{36}')\) TO \('[\da-f-]{36}'\)$/.test(bounds)
  );
}
