import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../migrations/schema-state.ts';
import { findProblem } from './check-rows.ts';
import { formatRow, parseRow, splitRows } from './copy-text.ts';
import { SETTINGS } from './export-tables.ts';
import { ImportError } from './import-error.ts';
import { mergeInviters, mergeUsers } from './merge-users.ts';
import { orderTables, readColumns, type TableColumn } from './table-columns.ts';
import { makeWeeks, TRANSFERRED, type TransferredTable, type TransferredWeek } from './transferred-tables.ts';

/** A table to import. */
export interface ImportedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Throws at its end if the bytes are not those that were exported. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/**
 * Writes all rows in one transaction. A whole installation can only be imported where there is no organisation yet. One
 * organisation can be imported beside others; its users are matched with existing ones by their address.
 */
export async function importTables(
  url: string,
  orgId: string | null,
  tables: readonly ImportedTable[],
  bodyWeeks: readonly TransferredWeek[] = [],
): Promise<void> {
  await withClient(url, 'import', async (client) => {
    await client.query('begin');
    for (const setting of SETTINGS) await client.query(setting);
    if (orgId === null) await refuseOccupied(client);
    else await refuseKnownOrganisation(client, orgId);
    if (orgId === null) await makeWeeks(client, bodyWeeks);
    const columns = await readColumns(client);
    const staged: TransferredTable[] = [];
    for (const given of orderTables(orgId, tables, columns)) {
      const table = orgId === null ? given : checkRows(orgId, given, columns.get(given.name) ?? []);
      const known = TRANSFERRED.find(({ name }) => name === table.name);
      if (orgId !== null && table.name === 'users')
        await mergeUsers(client, (into) => copyInto(client, table, into));
      else if (orgId !== null && table.name === 'api_keys') await addKeys(client, table);
      else if (known?.setLater) {
        await stage(client, table);
        await insertStaged(client, table, (column) => (column === known.setLater?.column ? 'null' : null));
        staged.push(known);
      } else await copyInto(client, table, table.name);
      if (orgId !== null && table.name === 'invitations') await mergeInviters(client, orgId);
      for (const earlier of staged)
        if (earlier.setLater?.after === table.name) await setLater(client, earlier);
    }
    await client.query('commit');
  }).catch(explainRefusal);
}

/** Otherwise the first statements would be planned for empty tables. It is not part of the import, and takes no long lock. */
export async function analyzeTables(url: string): Promise<void> {
  await withClient(url, 'import', async (client) => {
    for (const { name } of TRANSFERRED) await client.query(`analyze ${name}`);
  });
}

/** Whether the installation is in use: it has an organisation or a user. */
export async function isOccupied(url: string): Promise<boolean> {
  return withClient(url, 'import', async (client) => (await client.query(OCCUPIED)).rowCount !== 0);
}

const OCCUPIED = 'select from organisations union all select from users limit 1';

async function refuseOccupied(client: pg.ClientBase): Promise<void> {
  // Until the commit, nobody can add an organisation or a user.
  await client.query('lock table organisations, users in share row exclusive mode');
  if ((await client.query(OCCUPIED)).rowCount !== 0) throw new ImportError('not-empty', NOT_EMPTY);
  // A server may have run here already, without organisations, and left such rows.
  await client.query('delete from jobs; delete from unassigned_deliveries; delete from removable_contents');
}

/** The message when a whole installation is imported where organisations exist. */
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
  // Its files were stored before, which added these rows. Those of the export replace them.
  await client.query('delete from removable_contents where org_id = $1', [orgId]);
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

/** `replace` has the SQL of columns that are not imported as they are. */
async function insertStaged(
  client: pg.ClientBase,
  table: ImportedTable,
  replace: (column: string) => string | null,
): Promise<void> {
  const columns = table.columns.map(pg.escapeIdentifier).join(', ');
  const values = table.columns
    .map((column) => replace(column) ?? `staged.${pg.escapeIdentifier(column)}`)
    .join(', ');
  await client.query(
    `insert into ${pg.escapeIdentifier(table.name)} (${columns}) select ${values} from ${stagedName(table)} staged`,
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

/**
 * Skips the keys of users who joined with an existing user: those have ended. A key of a user who was not imported is refused,
 * because the user does not exist.
 */
async function addKeys(client: pg.ClientBase, table: ImportedTable): Promise<void> {
  await stage(client, table);
  const here = '(select id_here from merged_users where id_there = staged.user_id)';
  await insertStaged(client, table, (column) => (column === 'user_id' ? here : null));
}

/** An export can contain anything, because its maker could have edited it. No row may affect another organisation. */
function checkRows(orgId: string, table: ImportedTable, known: readonly TableColumn[]): ImportedTable {
  const columns = table.columns.map((name) => ({
    name,
    type: known.find((column) => column.name === name)?.type ?? '',
  }));
  const open = async function* () {
    let line = 0;
    for await (const row of splitRows(table.open())) {
      line += 1;
      const values = parseRow(row);
      const problem = findProblem(orgId, table.name, columns, values);
      if (problem !== null) {
        throw new ImportError(
          'damaged',
          `${table.name}, row ${line}: ${problem}. Nothing was changed. Somebody has changed the export: make it again.`,
        );
      }
      // The checked values are written again, because COPY reads more escapes than exports contain, and might read other values.
      yield Buffer.from(formatRow(values));
    }
  };
  return { ...table, open };
}

/** Classes 22 and 23 of PostgreSQL's errors: values and keys that its tables do not accept. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) throw error;
  if (error.code === '23505') {
    throw new ImportError(
      'conflict',
      `${error.table} has such a row already: ${error.detail ?? ''} Nothing was changed.`,
    );
  }
  // Only the first part, because the rest may quote the row.
  const [where] = /COPY \w+, line \d+(, column \w+)?/.exec(error.where ?? '') ?? [];
  throw new ImportError(
    'damaged',
    `${where ?? error.table ?? 'The export'}: ${error.message}. Nothing was changed. Take another copy of the export, or make it again.`,
  );
}
