import { parseRow, splitRows } from '@handover/adapters-postgres';
import { isSameName } from '@handover/domain';
import { type ExportReader, nameTable } from './export-folder.ts';
import { verifyRows } from './import-installation.ts';
import { TransferError } from './transfer-error.ts';

/** The id of the exported organisation, if the text is its id or the name that it had then. */
export async function requireOrganisation(reader: ExportReader, text: string): Promise<string> {
  const { organisation } = reader.manifest;
  if (organisation !== null && organisation === text.trim().toLowerCase()) return organisation;
  if (organisation !== null && isSameName(await readName(reader), text)) return organisation;
  throw new TransferError(
    'other-organisation',
    organisation === null
      ? 'This is the export of a whole installation. Export the organisation alone, with --org. Nothing was changed.'
      : `The export is of the organisation ${organisation}, not ${text}. Nothing was changed.`,
  );
}

async function readName(reader: ExportReader): Promise<string> {
  let name = '';
  for (const table of reader.manifest.tables.filter((one) => one.name === 'organisations')) {
    const column = table.columns.indexOf('name');
    for await (const row of splitRows(verifyRows(reader, nameTable(table.name), table)))
      name = parseRow(row)[column] ?? '';
  }
  return name;
}
