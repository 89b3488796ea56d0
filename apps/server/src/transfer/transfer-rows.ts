import { join } from 'node:path';
import { analyzeTables, type SecretBox } from '@handover/adapters-postgres';
import { VERSION } from '../version.ts';
import { openExport } from './export-folder.ts';
import { exportInstallation } from './export-installation.ts';
import type { ManifestTable } from './manifest.ts';
import { TransferError } from './transfer-error.ts';
import { restoreRows } from './verify-export.ts';

/**
 * Copies all rows from one database to an empty one, by an export without files, and compares what arrived. The first
 * one is only read. Returns how many rows there are.
 */
export async function transferRows(
  fromUrl: string,
  toUrl: string,
  scratch: string,
  onTable: (table: ManifestTable) => void,
): Promise<number> {
  const folder = join(scratch, 'export');
  const source = {
    databaseUrl: fromUrl,
    files: null,
    secrets: [],
    boxes: { apiKeys: CLOSED, connectionSecrets: CLOSED },
    program: VERSION.version,
  };
  const nothing = () => undefined;
  const whole = { folder, organisation: null, passphrase: null, onTable: nothing, onBytes: nothing };
  await exportInstallation(source, whole);
  const problems: string[] = [];
  const reader = await openExport(folder, async () => '');
  const rows = await restoreRows(reader, toUrl, (problem) => void problems.push(problem), onTable);
  if (problems.length > 0) throw new TransferError('damaged', problems.join('\n'));
  await analyzeTables(toUrl);
  return rows;
}

/** Encrypted values of a whole installation move as they are. */
const CLOSED: SecretBox = { seal: refuse, unseal: refuse, holds: refuse };

function refuse(): never {
  throw new Error('Nothing of a whole installation is decrypted.');
}
