import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../migrations/schema-state.ts';
import { splitRows } from './copy-text.ts';
import { SETTINGS } from './export-tables.ts';
import { ImportError } from './import-error.ts';
import { mergeUsers } from './merge-users.ts';
import { TRANSFERRED, type TransferredTable } from './transferred-tables.ts';
import { makeWeeks, type TransferredWeek } from './transferred-weeks.ts';

/** A table on its way in. */
export interface ImportedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Throws at its end if the bytes are not those that were exported. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/**
 * Writes all rows in one transaction: all or nothing. Without an organisation the installation must have none yet; one
 * organisation may join others, whose users are matched by their address.
 */
export async function importTables(
  url: string,
  orgId: string | null,
  tables: readonly ImportedTable[],
  bodyWeeks: readonly TransferredWeek[] = [],
): Promise<void> {
  await withClient(url, 'import', async (client) => {
    await client.query('begin');
    for (const setting of SETTINGS) await client.query(`set local ${setting}`);
    if (orgId === null) await refuseOccupied(client);
    else await refuseKnownOrganisation(client, orgId);
    if (orgId === null) await makeWeeks(client, bodyWeeks);
    const staged: TransferredTable[] = [];
    for (const given of inOrder(tables)) {
      const isKeys = given.name === 'api_keys';
      const table = orgId === null || isKeys ? given : { ...given, open: () => onlyOf(orgId, given) };
      const known = TRANSFERRED.find(({ name }) => name === table.name);
      if (orgId !== null && known?.ofOrganisation === null) {
        throw new ImportError(
          'damaged',
          `The export of an organisation must not have the table ${table.name}.`,
        );
      }
      if (orgId !== null && table.name === 'users')
        await mergeUsers(client, (into) => copyInto(client, table, into));
      else if (orgId !== null && isKeys) await addKeys(client, table);
      else if (known?.setLater) {
        await stage(client, table);
        await insertStaged(client, table, (column) => (column === known.setLater?.column ? 'null' : null));
        staged.push(known);
      } else await copyInto(client, table, table.name);
      if (orgId !== null && table.name === 'invitations') await client.query(REMAP_INVITATIONS);
      for (const earlier of staged)
        if (earlier.setLater?.after === table.name) await setLater(client, earlier);
    }
    await client.query('commit');
  }).catch(explainConflict);
}

/** So that the first orders are not planned for empty tables. It is no part of the import, and takes no long lock. */
export async function analyzeTables(url: string): Promise<void> {
  await withClient(url, 'import', async (client) => {
    for (const { name } of TRANSFERRED) await client.query(`analyze ${name}`);
  });
}

/** Whether there is an organisation or a user: then it is in use. */
export async function isOccupied(url: string): Promise<boolean> {
  return withClient(url, 'import', async (client) => (await client.query(OCCUPIED)).rowCount !== 0);
}

const OCCUPIED = 'select from organisations union all select from users limit 1';

async function refuseOccupied(client: pg.ClientBase): Promise<void> {
  // Nobody adds an organisation until the import is committed.
  await client.query('lock table organisations, users in share row exclusive mode');
  if ((await client.query(OCCUPIED)).rowCount !== 0) throw new ImportError('not-empty', NOT_EMPTY);
  // A server may have run here already, for nobody.
  await client.query('delete from jobs; delete from unassigned_deliveries');
}

export const NOT_EMPTY =
  'This installation is in use: it has an organisation or a user. Nothing was changed. Import into an empty one: another DATABASE_URL or DATA_DIR. To add one organisation to this one, export it alone, with --org, and name it again here.';

async function refuseKnownOrganisation(client: pg.ClientBase, orgId: string): Promise<void> {
  const { rowCount } = await client.query('select from organisations where id = $1', [orgId]);
  if (rowCount !== 0) {
    throw new ImportError(
      'conflict',
      `The organisation ${orgId} is in this installation already. Nothing was changed.`,
    );
  }
}

/** A table of a later version is unknown; it comes last. */
function inOrder(tables: readonly ImportedTable[]): readonly ImportedTable[] {
  const names = TRANSFERRED.map(({ name }) => name);
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return tables.toSorted((one, other) => placeOf(one.name) - placeOf(other.name));
}

async function copyInto(client: pg.ClientBase, table: ImportedTable, into: string): Promise<void> {
  const columns = table.columns.map(pg.escapeIdentifier).join(', ');
  const copy = client.query(copyFrom(`copy ${pg.escapeIdentifier(into)} (${columns}) from stdin`));
  await pipeline(table.open(), copy);
  if (copy.rowCount !== table.rows) {
    throw new ImportError(
      'damaged',
      `${table.name} has ${copy.rowCount} rows, and the manifest says ${table.rows}. Nothing was changed.`,
    );
  }
}

async function stage(client: pg.ClientBase, table: ImportedTable): Promise<void> {
  const name = pg.escapeIdentifier(table.name);
  await client.query(
    `create temporary table ${stagedName(table)} on commit drop as select * from ${name} with no data`,
  );
  await copyInto(client, table, `staged_${table.name}`);
}

function stagedName({ name }: { readonly name: string }): string {
  return pg.escapeIdentifier(`staged_${name}`);
}

/** `replace` gives the SQL of a column that does not come as it is. */
async function insertStaged(
  client: pg.ClientBase,
  table: ImportedTable,
  replace: (column: string) => string | null,
  condition = 'true',
): Promise<void> {
  const columns = table.columns.map(pg.escapeIdentifier).join(', ');
  const values = table.columns
    .map((column) => replace(column) ?? `staged.${pg.escapeIdentifier(column)}`)
    .join(', ');
  await client.query(
    `insert into ${pg.escapeIdentifier(table.name)} (${columns}) select ${values} from ${stagedName(table)} staged where ${condition}`,
  );
}

async function setLater(client: pg.ClientBase, { name, setLater: later }: TransferredTable): Promise<void> {
  if (!later) return;
  const isSame = later.key.map((column) => `row.${column} = staged.${column}`).join(' and ');
  await client.query(
    `update ${name} row set ${later.column} = staged.${later.column} from ${stagedName({ name })} staged
     where ${isSame} and staged.${later.column} is not null`,
  );
}

/** A user who has a key of that name here keeps it. Keys of users who were not imported are refused. */
async function addKeys(client: pg.ClientBase, table: ImportedTable): Promise<void> {
  await stage(client, table);
  const here = '(select id_here from merged_users where id_there = staged.user_id)';
  await insertStaged(
    client,
    table,
    (column) => (column === 'user_id' ? here : null),
    `not exists (select from api_keys where user_id = ${here} and name = staged.name)`,
  );
}

const REMAP_INVITATIONS = `
  update invitations invitation set invited_by = merged.id_here from merged_users merged
  where invitation.org_id = merged.org_id and invitation.invited_by = merged.id_there and merged.id_here <> merged.id_there`;

/** The person who made the export could have put anything in it: it must not reach another organisation. */
async function* onlyOf(orgId: string, table: ImportedTable): AsyncGenerator<Uint8Array> {
  const at = table.columns.indexOf(table.name === 'organisations' ? 'id' : 'org_id');
  for await (const row of splitRows(table.open())) {
    if (row.split('\t')[at] !== orgId) {
      throw new ImportError(
        'damaged',
        `${table.name} has rows of another organisation. Nothing was changed.`,
      );
    }
    yield Buffer.from(`${row}\n`);
  }
}

function explainConflict(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23505' && 'table' in error) {
    const detail = 'detail' in error ? String(error.detail) : '';
    throw new ImportError(
      'conflict',
      `${String(error.table)} has such a row already: ${detail} Nothing was changed.`,
    );
  }
  throw error;
}
