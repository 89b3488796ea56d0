import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ExportReader, openExport } from '../transfer/export-folder.ts';
import { TransferError } from '../transfer/transfer-error.ts';
import type { CommandContext } from './run-command.ts';

export interface PassphraseOptions {
  readonly encrypt?: true;
  readonly passphraseStdin?: true;
}

const MIN_LENGTH = 12;

/** The passphrase of a new export; null: it is not encrypted. */
export async function readNewPassphrase(
  context: CommandContext,
  { encrypt, passphraseStdin }: PassphraseOptions,
): Promise<string | null> {
  if (!encrypt && !passphraseStdin) return null;
  const passphrase = await readPassphrase(context, passphraseStdin === true);
  if (passphrase.length < MIN_LENGTH) {
    throw new TransferError(
      'passphrase-needed',
      `The passphrase must have at least ${MIN_LENGTH} characters: anybody who has the export can try as many as they like.`,
    );
  }
  if (passphraseStdin) return passphrase;
  if ((await context.output.ask?.('The same again: ')) === passphrase) return passphrase;
  throw new TransferError('wrong-passphrase', 'The two differ. Nothing was exported.');
}

/** The export that a command names. It must be encrypted if its passphrase is given as well, and that of an organisation always is. */
export function openGivenExport(
  context: CommandContext,
  folder: string,
  { passphraseStdin = false }: { readonly passphraseStdin?: boolean },
  isOfOrganisation = false,
): Promise<ExportReader> {
  const askPassphrase = () => readPassphrase(context, passphraseStdin);
  return openExport(resolve(folder), askPassphrase, passphraseStdin || isOfOrganisation);
}

/** The passphrase of an export that is encrypted. */
async function readPassphrase({ output, wantsJson }: CommandContext, fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const given = wantsJson() ? null : await output.ask?.('Passphrase of the export (it stays hidden): ');
  if (given) return given;
  throw new TransferError('passphrase-needed', 'The passphrase is missing. Give it with --passphrase-stdin.');
}
