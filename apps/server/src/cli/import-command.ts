import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOccupied } from '@handover/adapters-postgres';
import { keepContent, SHARED_PLATFORM } from '@handover/domain';
import type { Command } from 'commander';
import { createFileStore } from '../composition/composition.ts';
import type { ExportReader } from '../transfer/export-folder.ts';
import { type ImportTarget, importInstallation } from '../transfer/import-installation.ts';
import { requireOrganisation } from '../transfer/organisation-of-export.ts';
import { prepareSecret, readSecret } from '../transfer/secret-of-export.ts';
import { TransferError } from '../transfer/transfer-error.ts';
import { counted } from './command-text.ts';
import { openGivenExport } from './read-passphrase.ts';
import type { CommandContext, CommandPorts, DatabaseOfCommand, OpenedCommand } from './run-command.ts';
import { runCommand, runDatabaseCommand } from './run-command.ts';
import { countAll, showTransfer } from './show-progress.ts';

/** `import`. */
export function addImportCommand(program: Command, context: CommandContext): void {
  program
    .command('import')
    .description(
      'read an export into an empty installation, or one organisation into any; all of it or nothing',
    )
    .argument('<folder>', 'the folder of the export')
    .option(
      '--org <organisation>',
      'the organisation that is exported there, by name or id, to add it to this installation',
    )
    .option('--passphrase-stdin', 'take the passphrase of an encrypted export from standard input')
    .option('--write-secret <file>', 'write the HANDOVER_SECRET of the export to a file, and import nothing')
    .action((folder: string, options: ImportOptions) => {
      const { org } = options;
      const open = () => openGivenExport(context, folder, options, org !== undefined);
      if (org === undefined) {
        return runDatabaseCommand(context, 'import', async (database) =>
          importAll(context, await open(), database, options),
        );
      }
      return runCommand(context, 'import', async (opened) => importOne(context, await open(), opened, org));
    });
}

interface ImportOptions {
  readonly org?: string;
  readonly passphraseStdin?: true;
  readonly writeSecret?: string;
}

async function importAll(
  context: CommandContext,
  reader: ExportReader,
  { databaseUrl, isBesideServer, settings }: DatabaseOfCommand,
  { writeSecret }: ImportOptions,
) {
  if (writeSecret !== undefined) {
    await writeFile(writeSecret, await readSecret(reader), { mode: 0o600, flag: 'wx', flush: true });
    return {
      json: { secretFile: writeSecret },
      lines: [`The secret of the export is in ${writeSecret}. Add it to HANDOVER_SECRET, and import.`],
    };
  }
  const { organisation } = reader.manifest;
  if (organisation !== null) {
    throw new TransferError(
      'other-organisation',
      `The export is of the organisation ${organisation}. To add it to this installation, give --org ${organisation}. Nothing was changed.`,
    );
  }
  if (isBesideServer)
    throw new TransferError('in-use', 'The server of this DATA_DIR runs. Stop it, and import again.');
  const prepared = await prepareSecret(reader, settings);
  const target = { databaseUrl, files: createFileStore(settings) };
  const result = await importExport(context, reader, target).catch(async (error: unknown) => {
    // Another export has another one. A copy of this one brings it again.
    if (prepared === 'taken' && !(await isOccupied(databaseUrl))) await rm(join(settings.dataDir, 'secret'));
    throw error;
  });
  const where = prepared === 'taken' ? [`Its secret is in ${settings.dataDir}/secret.`] : [];
  return { json: result.json, lines: [...result.lines, ...where, 'Start the server.'] };
}

async function importOne(
  context: CommandContext,
  reader: ExportReader,
  { composition, ports, infrastructure }: OpenedCommand,
  text: string,
) {
  const org = await requireOrganisation(reader, text);
  const result = await importExport(context, reader, {
    databaseUrl: infrastructure.databaseUrl,
    files: composition.resolve('files'),
    keep: (content) => keepContent(ports, content),
    boxes: composition.resolve('secretBoxes'),
  });
  const left = await listOperatorsPart(ports, org);
  const { accounts, subscriptionExpiresAt } = left;
  const next =
    'Its API keys and webhook secrets work here. Point its shops to this installation. Links that were mailed before lead to the other one.';
  const ends = subscriptionExpiresAt === null ? 'has no end' : `ends on ${subscriptionExpiresAt}`;
  const yours = [
    `Its subscription ${ends}. To change that: handover org subscription --org ${org} --expires-at TIME`,
    ...accounts.map(
      (account) =>
        `Orders of its account ${account} wait until you map it: handover account map --org ${org} --account ${account}`,
    ),
  ];
  return { json: { ...result.json, ...left }, lines: [...result.lines, next, ...yours] };
}

/** What the operator decides about an organisation: an export says what it had elsewhere. */
async function listOperatorsPart({ organisations, connections, clock }: CommandPorts, org: string) {
  const organisation = await organisations.find(org);
  const facts = await connections.listFacts(org, clock.now());
  const accounts = facts.filter(({ platform, hasAccount, name }) => {
    return platform === SHARED_PLATFORM && !hasAccount && name.startsWith('acct_');
  });
  return {
    subscriptionExpiresAt: organisation?.subscriptionExpiresAt?.toISOString() ?? null,
    accounts: accounts.map(({ name }) => name),
  };
}

async function importExport(context: CommandContext, reader: ExportReader, target: ImportTarget) {
  await importInstallation(reader, target, showTransfer(context));
  const { rows, files } = countAll(reader.manifest);
  const { organisation, exportedAt } = reader.manifest;
  return {
    json: { organisation, exportedAt, rows, files },
    lines: [`Imported ${counted(rows, 'row')} and ${counted(files, 'file')} as of ${exportedAt}.`],
  };
}
