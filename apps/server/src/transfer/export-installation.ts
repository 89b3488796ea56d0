import { exportTables, FILE_LIST, meterRows, type SecretBoxes } from '@handover/adapters-postgres';
import type { FileStore } from '@handover/domain';
import {
  asContent,
  createExport,
  type ExportWriter,
  FILE_LIST_NAME,
  nameFile,
  nameTable,
  SECRET,
} from './export-folder.ts';
import { readFileList, verifyContent } from './listed-files.ts';
import { FORMAT, type Manifest, type ManifestTable } from './manifest.ts';
import { mapSecrets } from './sealed-rows.ts';
import { TransferError } from './transfer-error.ts';

export interface ExportSource {
  readonly databaseUrl: string;
  /** Null: files stay where they are. */
  readonly files: FileStore | null;
  /** Those of HANDOVER_SECRET. */
  readonly secrets: readonly string[];
  readonly boxes: SecretBoxes;
  readonly program: string;
}

export interface ExportOptions {
  readonly folder: string;
  readonly organisation: string | null;
  readonly passphrase: string | null;
  /** See createSealing. */
  readonly passphraseWork?: number | undefined;
  readonly onTable: (table: ManifestTable) => void;
  readonly onBytes: (done: number, total: number) => void;
}

/**
 * Writes everything, or one organisation, as of one moment. Files follow after the snapshot ended: they are found by
 * their content, which never changes and is never removed. An organisation's secrets come decrypted, so such an export
 * is always encrypted as a whole; that of an installation has its HANDOVER_SECRET only if it is.
 */
export async function exportInstallation(source: ExportSource, options: ExportOptions): Promise<Manifest> {
  const { organisation, passphrase, onTable } = options;
  if (organisation !== null && passphrase === null) {
    throw new TransferError(
      'passphrase-needed',
      'The export of an organisation has the secrets of its shops, so it must be encrypted. Give --encrypt, or --passphrase-stdin.',
    );
  }
  const writer = await createExport(options.folder, passphrase, options.passphraseWork);
  const tables: ManifestTable[] = [];
  const snapshot = await exportTables(source.databaseUrl, organisation, async ({ name, columns, rows }) => {
    const meter = meterRows();
    // The other installation has another HANDOVER_SECRET, which encrypts them anew.
    const unsealed = () =>
      mapSecrets(source.boxes, { name, columns }, rows, (sealed, box, context) =>
        box.unseal(sealed, context),
      );
    const content = organisation === null ? rows : unsealed();
    await writer.write(name === FILE_LIST ? FILE_LIST_NAME : nameTable(name), meter.through(content));
    const table = { name, columns, ...meter.measure() };
    tables.push(table);
    if (name !== FILE_LIST) onTable(table);
  });
  if (organisation !== null && tables.find(({ name }) => name === 'organisations')?.rows !== 1) {
    throw new TransferError(
      'other-organisation',
      `There is no organisation ${organisation}. See: handover org list`,
    );
  }
  const list = tables.find(({ name }) => name === FILE_LIST);
  if (!list) throw new TransferError('damaged', 'The list of files is missing.');
  const totalBytes = source.files === null ? 0 : await copyFiles(source.files, writer, options.onBytes);
  if (organisation === null && passphrase !== null) {
    await writer.write(SECRET, asContent(Buffer.from(`${source.secrets.join(',')}\n`)));
  }
  const manifest: Manifest = {
    format: FORMAT,
    exportedAt: snapshot.takenAt.toISOString(),
    program: source.program,
    schema: snapshot.schema,
    organisation,
    keyNumbers: organisation === null ? snapshot.keyNumbers : [],
    bodyWeeks: organisation === null ? snapshot.bodyWeeks : [],
    tables: tables.filter((table) => table !== list),
    files: { ...list, totalBytes },
  };
  await writer.finish(manifest);
  return manifest;
}

async function copyFiles(
  files: FileStore,
  writer: ExportWriter,
  onBytes: ExportOptions['onBytes'],
): Promise<number> {
  const list = () => readFileList(writer.read(FILE_LIST_NAME));
  let total = 0;
  for await (const { size } of list()) total += size;
  let done = 0;
  for await (const file of list()) {
    const { orgId, sha256 } = file;
    const content = await files.open(orgId, sha256);
    if (content === null) {
      throw new TransferError(
        'file-missing',
        `The file ${sha256} of organisation ${orgId} is not in FILES_URL, although a version names it. Restore it, or remove it from its version, and export again.`,
      );
    }
    const counted = verifyContent(content, file, (count) => {
      done += count;
      onBytes(done, total);
    });
    await writer.write(nameFile(orgId, sha256), counted);
  }
  return total;
}
