import { exportTables, FILE_LIST, importTables, meterRows, migrate } from '@handover/adapters-postgres';
import { describeKeyNumber } from '../keyring/keyring.ts';
import { type ExportReader, FILE_LIST_NAME, nameFile, nameTable } from './export-folder.ts';
import { verifyRows } from './import-installation.ts';
import { readFileList, verifyContent } from './listed-files.ts';
import { type ManifestTable, refuseUnknownSchema } from './manifest.ts';
import { readSecret } from './secret-of-export.ts';

/** What the restored export is like. Without problems, it can be relied on. */
export interface Verdict {
  readonly problems: readonly string[];
  readonly rows: number;
  readonly files: number;
  /** Whether it has the secret that its encrypted values need. */
  readonly hasSecret: boolean;
}

interface Progress {
  readonly onTable: (table: ManifestTable) => void;
  readonly onBytes: (done: number, total: number) => void;
}

const MAX_PROBLEMS = 20;

/** Restores the export into an empty database, reads it again, and compares counts and hashes; reads every file. */
export async function verifyExport(reader: ExportReader, url: string, progress: Progress): Promise<Verdict> {
  const problems: string[] = [];
  const note = (error: unknown) => {
    if (problems.length < MAX_PROBLEMS) problems.push(error instanceof Error ? error.message : String(error));
  };
  const secret = await checkSecret(reader).catch((error: unknown) => {
    note(error);
    return false;
  });
  const rows = await restoreRows(reader, url, note, progress.onTable).catch((error: unknown) => {
    note(error);
    return 0;
  });
  const files = await readFiles(reader, note, progress.onBytes).catch((error: unknown) => {
    note(error);
    return 0;
  });
  return { problems, rows, files, hasSecret: secret };
}

/**
 * Restores the rows into an empty database, reads them again, and migrates. Notes each table that is not as it was.
 * Returns the number of rows.
 */
export async function restoreRows(
  reader: ExportReader,
  url: string,
  note: (problem: string) => void,
  onTable: Progress['onTable'],
): Promise<number> {
  const { manifest } = reader;
  refuseUnknownSchema(manifest);
  await migrate(url, { until: manifest.schema });
  const tables = manifest.tables.map((table) => ({
    ...table,
    open: () => verifyRows(reader, nameTable(table.name), table),
  }));
  await importTables(url, manifest.organisation, tables, manifest.bodyWeeks);
  const rows = await compareTables(reader, url, note, onTable);
  await migrate(url);
  return rows;
}

async function compareTables(
  { manifest }: ExportReader,
  url: string,
  note: (problem: string) => void,
  onTable: Progress['onTable'],
): Promise<number> {
  let total = 0;
  await exportTables(url, manifest.organisation, async ({ name, columns, rows }) => {
    const meter = meterRows();
    for await (const _chunk of meter.through(rows));
    if (name === FILE_LIST) return;
    const found = meter.measure();
    const wanted = manifest.tables.find((table) => table.name === name);
    if (found.rows !== wanted?.rows || found.rowsHash !== wanted.rowsHash) {
      note(`${name} has ${found.rows} rows after the restore, and had ${wanted?.rows ?? 0}, or they differ.`);
    }
    total += found.rows;
    onTable({ name, columns, ...found });
  });
  return total;
}

async function readFiles(
  reader: ExportReader,
  note: (problem: unknown) => void,
  onBytes: Progress['onBytes'],
): Promise<number> {
  const { files } = reader.manifest;
  let count = 0;
  let done = 0;
  for await (const file of readFileList(verifyRows(reader, FILE_LIST_NAME, files))) {
    try {
      for await (const _chunk of verifyContent(reader.read(nameFile(file.orgId, file.sha256)), file));
      count += 1;
    } catch (error) {
      note(error);
    }
    done += file.size;
    onBytes(done, files.totalBytes);
  }
  return count;
}

async function checkSecret(reader: ExportReader): Promise<boolean> {
  const { keyNumbers, organisation } = reader.manifest;
  if (organisation !== null || !reader.isEncrypted) return organisation !== null;
  const known = (await readSecret(reader)).trim().split(',').map(describeKeyNumber);
  const missing = keyNumbers.filter((number) => !known.includes(number));
  if (missing.length > 0) throw new Error(`The secret in the export lacks the keys ${missing.join(', ')}.`);
  return true;
}
