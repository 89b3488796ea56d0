import { resolve } from 'node:path';
import { EmbeddedPostgresError } from '@handover/embedded-postgres';
import type { Command } from 'commander';
import { withScratchDatabase } from '../transfer/scratch-database.ts';
import { verifyExport } from '../transfer/verify-export.ts';
import { counted } from './command-text.ts';
import { openGivenExport } from './read-passphrase.ts';
import type { CommandContext } from './run-command.ts';
import { CommandError, printResult } from './run-command.ts';
import { showTransfer } from './show-progress.ts';

/** `backup verify`. */
export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('exports as backups')
    .command('verify')
    .description(
      'restore an export into a scratch database, compare all of it, and say whether it can be relied on',
    )
    .argument('<folder>', 'the folder of the export')
    .option('--passphrase-stdin', 'take the passphrase of an encrypted export from standard input')
    .option(
      '--database-url <url>',
      'a PostgreSQL where a scratch database may be created; else one is started in TMPDIR',
    )
    .action((folder: string, options: VerifyOptions) =>
      printResult(context, () => verify(context, resolve(folder), options)),
    );
}

interface VerifyOptions {
  readonly passphraseStdin?: true;
  readonly databaseUrl?: string;
}

async function verify(context: CommandContext, folder: string, options: VerifyOptions) {
  const reader = await openGivenExport(context, folder, options);
  const verdict = await withScratchDatabase(options.databaseUrl ?? null, (url) =>
    verifyExport(reader, url, showTransfer(context)),
  ).catch((error: unknown) => {
    throw hasNoPrograms(error) ? new CommandError(NAME_A_DATABASE) : error;
  });
  const { problems, rows, files } = verdict;
  if (problems.length > 0) {
    throw new CommandError(
      [`The export in ${folder} is damaged. Do not rely on it.`, ...problems].join('\n'),
    );
  }
  const { exportedAt, keyNumbers } = reader.manifest;
  const needsSecret = keyNumbers.length > 0 && !verdict.hasSecret;
  return {
    json: { verdict: 'good', exportedAt, rows, files, hasSecret: verdict.hasSecret },
    lines: [
      `The export of ${exportedAt} is good: ${counted(rows, 'row')} were restored and compared, ${counted(files, 'file')} read and hashed.`,
      ...(needsSecret
        ? [
            `It needs a HANDOVER_SECRET that it does not have (key ${keyNumbers.join(', ')}): make sure that you keep it.`,
          ]
        : []),
    ],
  };
}

/** Most releases contain no PostgreSQL. The error itself names `DATABASE_URL`, which is not used here. */
function hasNoPrograms(error: unknown): boolean {
  return error instanceof EmbeddedPostgresError && NO_PROGRAMS.includes(error.code);
}

const NO_PROGRAMS: readonly string[] = ['DATABASE_PROGRAMS_DO_NOT_RUN', 'DATABASE_PLATFORM_UNSUPPORTED'];

const NAME_A_DATABASE =
  'There is no PostgreSQL here that can be started for a scratch database. Name a server with --database-url, whose ' +
  'user may create databases: the scratch database is removed again.';
