import type pg from 'pg';
import { ImportError } from './import-error.ts';
import type { ImportedTable } from './import-tables.ts';
import { LEFT_WITH_INSTALLATION, TRANSFERRED } from './transferred-tables.ts';

export interface TableColumn {
  readonly name: string;
  /** As PostgreSQL calls it in its catalog, such as `timestamptz`. */
  readonly type: string;
}

export type TableColumns = ReadonlyMap<string, readonly TableColumn[]>;

/** The columns of the exported tables that exist, without generated ones, which are computed again. */
export async function readColumns(client: pg.ClientBase): Promise<TableColumns> {
  const { rows } = await client.query<TableColumn & { readonly table: string }>(
    `select wanted.name as "table", attname as name, typname as type
     from unnest($1::text[]) as wanted (name)
     join pg_attribute on attrelid = to_regclass(wanted.name)
     join pg_type on pg_type.oid = atttypid
     where attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [TRANSFERRED.map(({ name }) => name)],
  );
  const tables = Map.groupBy(rows, ({ table }) => table);
  return new Map(
    [...tables].map(([table, columns]) => [table, columns.map(({ name, type }) => ({ name, type }))]),
  );
}

/**
 * The tables of an export, each after those that it refers to. Refuses an export whose tables or columns differ from those of the
 * database: missing ones would be lost without notice, and additional ones are unknown.
 */
export function orderTables(
  orgId: string | null,
  tables: readonly ImportedTable[],
  columns: TableColumns,
): readonly ImportedTable[] {
  const wanted = TRANSFERRED.filter(
    ({ name, ofOrganisation }) => columns.has(name) && (orgId === null || ofOrganisation !== null),
  ).map(({ name }) => name);
  // Exports of an organisation by older versions contain these tables.
  const given = tables.filter(({ name }) => orgId === null || !LEFT_WITH_INSTALLATION.includes(name));
  const found = given.map(({ name }) => name);
  const unknown = found.filter((name, at) => !wanted.includes(name) || found.indexOf(name) !== at);
  const missing = wanted.filter((name) => !found.includes(name));
  if (unknown.length > 0) throw damaged(`has tables that are unknown there or twice: ${unknown.join(', ')}`);
  if (missing.length > 0) throw damaged(`lacks tables: ${missing.join(', ')}`);
  for (const table of given) {
    const own = columns.get(table.name)?.map(({ name }) => name) ?? [];
    if (table.columns.toSorted().join() !== own.toSorted().join())
      throw damaged(`has other columns of ${table.name} than ${own.join(', ')}`);
  }
  return given.toSorted((one, other) => wanted.indexOf(one.name) - wanted.indexOf(other.name));
}

function damaged(what: string): ImportError {
  return new ImportError(
    'damaged',
    `The manifest of the export ${what}. Nothing was changed. Take another copy of the export, or make it again.`,
  );
}
