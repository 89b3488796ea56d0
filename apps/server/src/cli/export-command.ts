import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exportInstallation } from '../transfer/export-installation.ts';
import type { Manifest } from '../transfer/manifest.ts';
import { VERSION } from '../version.ts';
import { counted, formatCommand, quoteArgument } from './command-text.ts';
import { inOrganisation } from './in-organisation.ts';
import { type PassphraseOptions, readNewPassphrase } from './read-passphrase.ts';
import type { CommandContext, CommandResult, OpenedCommand } from './run-command.ts';
import { countAll, formatBytes, showTransfer } from './show-progress.ts';

/** `export`. */
export function addExportCommand(program: Command, context: CommandContext): void {
  program
    .command('export')
    .description(
      'write everything, or one organisation, to a new folder, as of one moment, beside a running server',
    )
    .argument('<folder>', 'a folder that does not exist yet, or is empty')
    .option('--org <organisation>', 'only this organisation, by name or id; the export must be encrypted')
    .option('--encrypt', 'ask for a passphrase; an encrypted export of everything includes HANDOVER_SECRET')
    .option('--passphrase-stdin', 'encrypt, with the passphrase on standard input')
    .action(
      inOrganisation(context, (opened, folder: string, options: ExportOptions) =>
        run(context, opened, resolve(folder), options),
      ),
    );
}

interface ExportOptions extends PassphraseOptions {
  readonly org?: string;
}

async function run(
  context: CommandContext,
  { composition, infrastructure }: OpenedCommand,
  folder: string,
  options: ExportOptions,
): Promise<CommandResult> {
  const organisation = options.org ?? null;
  const passphrase = await readNewPassphrase(context, options);
  const source = {
    databaseUrl: infrastructure.databaseUrl,
    files: composition.resolve('files'),
    secrets: infrastructure.secrets,
    boxes: composition.resolve('secretBoxes'),
    program: VERSION.version,
  };
  const manifest = await exportInstallation(source, {
    folder,
    organisation,
    passphrase,
    passphraseWork: context.output.passphraseWork,
    ...showTransfer(context),
  });
  return describeExport(manifest, { folder, organisation, isEncrypted: passphrase !== null });
}

function describeExport(
  manifest: Manifest,
  {
    folder,
    organisation,
    isEncrypted,
  }: { readonly folder: string; readonly organisation: string | null; readonly isEncrypted: boolean },
): CommandResult {
  const { rows, files } = countAll(manifest);
  const { exportedAt, schema, keyNumbers } = manifest;
  const words = `backup verify ${quoteArgument(folder)}`;
  return {
    json: {
      folder,
      organisation,
      exportedAt,
      schema,
      encrypted: isEncrypted,
      rows,
      files,
      bytes: manifest.files.totalBytes,
    },
    lines: [
      `Exported ${counted(rows, 'row')} and ${counted(files, 'file')} (${formatBytes(manifest.files.totalBytes)}) as of ${exportedAt} to ${folder}.`,
      ...(organisation === null && !isEncrypted && keyNumbers.length > 0
        ? [
            'It does not have HANDOVER_SECRET, without which its secrets cannot be read: keep that elsewhere. An encrypted export has it.',
          ]
        : []),
      ...(isEncrypted ? ['Keep the passphrase apart from it. Nobody can read the export without.'] : []),
      'Test it:',
      formatCommand(words),
    ],
  };
}
