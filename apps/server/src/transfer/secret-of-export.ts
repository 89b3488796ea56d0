import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeSecret } from '../composition/generated-secret.ts';
import { describeKeyNumber } from '../keyring/keyring.ts';
import type { Settings } from '../settings/settings.ts';
import { type ExportReader, SECRET } from './export-folder.ts';
import { readText } from './sealing.ts';
import { TransferError } from './transfer-error.ts';

/**
 * Makes sure that the installation can decrypt what is imported. An embedded one without a secret takes that of an
 * encrypted export. Elsewhere HANDOVER_SECRET must list it.
 */
export async function prepareSecret(reader: ExportReader, settings: Settings): Promise<'taken' | 'known'> {
  const { keyNumbers, organisation } = reader.manifest;
  // Links that were mailed are signed with it, too: an installation keeps its secret even if nothing is encrypted.
  if (organisation !== null) return 'known';
  const path = join(settings.dataDir, 'secret');
  const generated = settings.secrets === null ? await readFile(path, 'utf8').catch(() => null) : null;
  if (settings.secrets === null && generated === null && reader.isEncrypted) {
    if (await storeSecret(settings.dataDir, await readSecret(reader))) return 'taken';
  }
  const secrets = settings.secrets ?? generated?.trim().split(',') ?? [];
  const known = secrets.map(describeKeyNumber);
  const missing = keyNumbers.filter((number) => !known.includes(number));
  if (missing.length === 0) return 'known';
  const where = settings.secrets === null ? path : 'HANDOVER_SECRET';
  const remedy = reader.isEncrypted
    ? '--write-secret FILE writes it to a file'
    : 'it is in the HANDOVER_SECRET, or DATA_DIR/secret, of the exported installation';
  throw new TransferError(
    'other-secret',
    `${where} must hold the secret of the export, which encrypted what is in it (key ${missing.join(', ')}); ${remedy}. Nothing was changed.`,
  );
}

/** As HANDOVER_SECRET lists it. */
export async function readSecret(reader: ExportReader): Promise<string> {
  if (!reader.isEncrypted || reader.manifest.organisation !== null) {
    throw new TransferError(
      'other-secret',
      'Only an encrypted export of a whole installation has its secret.',
    );
  }
  return readText(reader.read(SECRET));
}
