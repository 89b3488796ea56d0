import { hash } from 'node:crypto';
import {
  analyzeTables,
  type ImportedTable,
  importTables,
  isOccupied,
  isOlderSchema,
  isServed,
  latestSchema,
  meterRows,
  migrate,
  NOT_EMPTY,
  readSchemaName,
  type SecretBoxes,
} from '@handover/adapters-postgres';
import type { AnnounceContent, FileStore } from '@handover/domain';
import { type ExportReader, FILE_LIST_NAME, nameFile, nameTable } from './export-folder.ts';
import { type ListedFile, readFileList, verifyContent } from './listed-files.ts';
import { type Manifest, type ManifestTable, refuseUnknownSchema } from './manifest.ts';
import { mapSecrets } from './sealed-rows.ts';
import { TransferError } from './transfer-error.ts';

export interface ImportTarget {
  readonly databaseUrl: string;
  readonly files: Pick<FileStore, 'open' | 'store'>;
  /** Keeps a content that is stored already from being removed meanwhile. Left out: nobody removes any. */
  readonly keep?: AnnounceContent;
  /** Encrypt the secrets of an organisation anew. */
  readonly boxes?: SecretBoxes;
}

export interface ImportOptions {
  readonly onTable: (table: ManifestTable) => void;
  readonly onBytes: (done: number, total: number) => void;
}

/**
 * Imports an export: first its files, which are found by their content and harm nobody, then all rows in one
 * transaction. After a crash the same call does the rest. Checksums are verified before the commit.
 */
export async function importInstallation(
  reader: ExportReader,
  target: ImportTarget,
  { onTable, onBytes }: ImportOptions,
): Promise<void> {
  const { manifest } = reader;
  const { databaseUrl, boxes } = target;
  await prepareTables(reader, databaseUrl);
  await storeFiles(reader, target, onBytes);
  // It may have started meanwhile: files take long.
  await refuseServed(manifest, databaseUrl);
  const tables = manifest.tables.map((table) => {
    const rows = () => verifyRows(reader, nameTable(table.name), table, onTable);
    return { ...table, open: () => (boxes ? sealRows(boxes, table, rows()) : rows()) };
  });
  await importTables(databaseUrl, manifest.organisation, tables, manifest.bodyWeeks);
  await migrate(databaseUrl);
  await analyzeTables(databaseUrl);
}

/** An empty database gets the tables of the export; migrations follow when the rows are there. */
async function prepareTables({ manifest }: ExportReader, databaseUrl: string): Promise<void> {
  const { schema, organisation } = manifest;
  refuseUnknownSchema(manifest);
  const found = await readSchemaName(databaseUrl);
  if (found !== null && organisation === null && (await isOccupied(databaseUrl)))
    throw new TransferError('in-use', NOT_EMPTY);
  if (found !== null) await refuseServed(manifest, databaseUrl);
  // Those of an older export may be there: its import failed.
  if (organisation === null && (found === null || isOlderSchema(found, schema))) {
    await migrate(databaseUrl, { until: schema });
    return;
  }
  if (found === schema && (organisation === null || schema === latestSchema())) return;
  throw new TransferError(
    'other-schema',
    organisation === null
      ? `The export has the tables of ${schema}, and the database those of ${found}. Import into a database without any tables: it gets those of the export, and is then migrated.`
      : `The export has the tables of ${schema}, and this installation those of ${found ?? 'none'}. Bring both to one version (handover migrate), and export again.`,
  );
}

/** A server would go to work on the rows at once, perhaps without the secret that encrypted what is in them. */
async function refuseServed({ organisation }: Manifest, databaseUrl: string): Promise<void> {
  if (organisation !== null || !(await isServed(databaseUrl))) return;
  throw new TransferError(
    'in-use',
    'A server works on this database. Stop every server, and import again. Nothing was changed.',
  );
}

async function storeFiles(
  reader: ExportReader,
  { files, keep }: ImportTarget,
  onBytes: ImportOptions['onBytes'],
) {
  const { files: listed } = reader.manifest;
  let done = 0;
  for await (const file of readFileList(verifyRows(reader, FILE_LIST_NAME, listed))) {
    if (reader.manifest.organisation !== null && file.orgId !== reader.manifest.organisation) {
      throw new TransferError(
        'damaged',
        'The list of files names another organisation. Nothing was changed.',
      );
    }
    // A former try may have stored it long ago: no file refers to it yet, so it may be due to be removed.
    const kept = await keep?.({ orgId: file.orgId, sha256: file.sha256 });
    if (kept === 'removing' || !(await isStored(files, file))) {
      const content = reader.read(nameFile(file.orgId, file.sha256));
      await files.store(file.orgId, verifyContent(content, file));
    }
    done += file.size;
    onBytes(done, listed.totalBytes);
  }
}

/** Whether it has its last byte: a former try stored it, whole, as the store does. */
async function isStored(files: ImportTarget['files'], { orgId, sha256, size }: ListedFile): Promise<boolean> {
  if (size === 0) return false;
  const end = await files.open(orgId, sha256, { start: size - 1, end: size });
  if (end === null) return false;
  let bytes = 0;
  for await (const chunk of end) bytes += chunk.length;
  return bytes === 1;
}

/** The rows of a table, which end with an error if they are not those that were exported. */
export async function* verifyRows(
  reader: ExportReader,
  file: string,
  table: ManifestTable,
  onTable: (table: ManifestTable) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const meter = meterRows();
  yield* meter.through(reader.read(file));
  const { sha256, rows } = meter.measure();
  if (sha256 !== table.sha256 || rows !== table.rows) {
    throw new TransferError(
      'damaged',
      `${file} of the export was changed: it has ${rows} of ${table.rows} rows, or others. Nothing was changed here. Take another copy of the export.`,
    );
  }
  onTable(table);
}

function sealRows(
  boxes: SecretBoxes,
  table: Pick<ImportedTable, 'name' | 'columns'>,
  rows: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  return mapSecrets(boxes, table, rows, (plain, box, context, row) => {
    // Else a page would show another key than the one that works.
    if (table.name === 'api_keys' && hash('sha256', plain, 'hex') !== row.hash) {
      throw new TransferError(
        'damaged',
        'api_keys: the hash of a key is not its own. Nothing was changed. Somebody has changed the export: make it again.',
      );
    }
    return box.seal(plain, context);
  });
}
