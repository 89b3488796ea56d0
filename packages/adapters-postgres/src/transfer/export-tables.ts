import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readSchema, WITHOUT_LIMITS, withClient } from '../migrations/schema-state.ts';
import { readColumns } from './table-columns.ts';
import { listWeeks, TRANSFERRED, type TransferredWeek } from './transferred-tables.ts';

/** The rows of an exported table, in COPY's text format. */
export interface ExportedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Readable;
}

/** What an export contains besides the rows. */
export interface Snapshot {
  /** The last migration of the tables. */
  readonly schema: string;
  readonly takenAt: Date;
  /** The numbers of the keys that its sealed texts were encrypted with: see `KEY_NUMBER_LENGTH`. */
  readonly keyNumbers: readonly string[];
  readonly bodyWeeks: readonly TransferredWeek[];
}

/** The stored files that versions refer to: organisation, hash and size. */
export const FILE_LIST = 'files';

/**
 * Reads every table, or the rows of one organisation, as of one moment: in one transaction, which sees one snapshot.
 * Tables come one after another; `write` must read each to its end.
 */
export async function exportTables(
  url: string,
  orgId: string | null,
  write: (table: ExportedTable) => Promise<void>,
): Promise<Snapshot> {
  return withClient(url, 'export', async (client) => {
    await client.query('begin transaction isolation level repeatable read read only');
    // Every server must write the same texts, whatever its configuration is. Long tables must not hit a time limit.
    for (const setting of SETTINGS) await client.query(setting);
    const { rows } = await client.query<{ readonly at: Date }>('select transaction_timestamp() as at');
    const { migrations } = await readSchema(client);
    const known = await readColumns(client);
    for (const table of TRANSFERRED) {
      const condition =
        orgId === null ? 'true' : table.ofOrganisation?.replaceAll('$org', pg.escapeLiteral(orgId));
      if (condition === undefined) continue;
      const columns = known.get(table.name)?.map(({ name }) => name);
      // The table does not exist yet in a database of an older version.
      if (!columns) continue;
      const query = `select ${columns.map(pg.escapeIdentifier).join(', ')} from ${table.name} where ${condition}`;
      await write({ name: table.name, columns, rows: copyOut(client, query) });
    }
    const ofFiles = orgId === null ? 'true' : `org_id = ${pg.escapeLiteral(orgId)}`;
    const list = `select distinct org_id, sha256, size from version_files where ${ofFiles} order by 1, 2`;
    const columns = ['org_id', 'sha256', 'size'];
    await write({ name: FILE_LIST, columns, rows: copyOut(client, list) });
    const keyNumbers = await listKeyNumbers(client);
    const bodyWeeks = await listWeeks(client);
    await client.query('commit');
    return { schema: migrations.at(-1) ?? '', takenAt: rows[0]?.at ?? new Date(0), keyNumbers, bodyWeeks };
  });
}

export const SETTINGS: readonly string[] = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, YMD'",
  "set local bytea_output = 'hex'",
  WITHOUT_LIMITS,
];

async function listKeyNumbers(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly number: string }>(
    `select distinct left(sealed, 4) as number
     from (
       select sealed from api_keys union all select sealed from connection_secrets
       union all select sealed from shared_secrets
     ) sealed_texts order by 1`,
  );
  return rows.map(({ number }) => number);
}

/**
 * The rows of a query in COPY's text format. If the connection is lost, reading fails, also when it begins later.
 *
 * The driver emits `error` on the stream at once. A reader that opens its file first does not listen yet, and Node
 * ends a process whose stream has an error that nobody listens to. A destroyed stream keeps its error for the reader.
 */
export function copyOut(client: pg.ClientBase, query: string): Readable {
  const rows = client.query(copyTo(`copy (${query}) to stdout`));
  return rows.on('error', (error) => rows.destroy(error));
}
