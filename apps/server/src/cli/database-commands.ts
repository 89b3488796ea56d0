import { join } from 'node:path';
import {
  abandonUpgrade,
  claimDirectory,
  findFormerPrograms,
  readDataVersions,
  upgradeData,
} from '@handover/embedded-postgres';
import type { Command } from 'commander';
import { endOnSignal } from '../composition/end-on-signal.ts';
import { transferRows } from '../transfer/transfer-rows.ts';
import { counted } from './command-text.ts';
import { addDistributeCommand } from './distribute-command.ts';
import type { CommandContext, CommandResult } from './run-command.ts';
import { CommandError, printResult, readEnvironment } from './run-command.ts';

/** A person waits, and both lose nothing. */
const STOP_LIMITS = { fastMs: 5_000, immediateMs: 5_000 };

/** `database upgrade` and `database distribute`. */
export function addDatabaseCommands(program: Command, context: CommandContext): void {
  const database = program
    .command('database')
    .description('the embedded database, or one over several machines');
  database
    .command('upgrade')
    .description('move the embedded database to the PostgreSQL of this version; what was there is kept')
    .option('--binaries <folder>', 'where the programs of the PostgreSQL are that made it, such as pg_ctl')
    .action(({ binaries }: { readonly binaries?: string }) =>
      printResult(context, () => upgrade(context, binaries ?? null)),
    );
  addDistributeCommand(database, context);
}

async function upgrade(context: CommandContext, binaries: string | null): Promise<CommandResult> {
  const { databaseUrl, dataDir } = readEnvironment(context);
  if (databaseUrl !== null) {
    throw new CommandError(
      'DATABASE_URL names a PostgreSQL of your own: upgrade it with its own tools (pg_upgrade), or with handover export and import.',
    );
  }
  const directory = join(dataDir, 'postgres');
  const claim = await claimDirectory(dataDir, { kind: 'command', what: 'handover database upgrade' });
  if (claim.kind === 'held') {
    throw new CommandError(`${claim.by.what} (process ${claim.by.pid}) works in ${dataDir}. Stop it first.`);
  }
  const stayOnSignal = endOnSignal(() => abandonUpgrade(directory, STOP_LIMITS));
  try {
    const { data, programs } = await readDataVersions(directory);
    if (data === null || data === programs) {
      const what =
        data === null ? `There is no database in ${directory} yet` : `It is PostgreSQL ${data} already`;
      return { json: { upgraded: false, version: programs }, lines: [`${what}. Nothing was changed.`] };
    }
    const former = { version: data, binaries: binaries ?? findFormerPrograms(data) ?? missing(data) };
    const log = (line: string) => (context.wantsJson() ? undefined : context.output.err(line));
    let rows = 0;
    const kept = await upgradeData({
      directory,
      former,
      log,
      transfer: async (fromUrl, toUrl, scratch) => {
        rows = await transferRows(fromUrl, toUrl, scratch, (table) => {
          if (table.rows > 0) log(`${table.name}: ${counted(table.rows, 'row')}`);
        });
      },
    });
    return {
      json: { upgraded: true, from: data, version: programs, rows, kept },
      lines: [
        `The database is PostgreSQL ${programs} now: ${counted(rows, 'row')} were copied and compared.`,
        `What was there is in ${kept}. Remove it when you are sure that you will not go back.`,
      ],
    };
  } finally {
    stayOnSignal();
    await claim.release();
  }
}

function missing(version: string): never {
  throw new CommandError(
    `The data was made by PostgreSQL ${version}, whose programs are needed once to read it. Install them (Debian: apt install postgresql-${version}), or name their folder with --binaries. Nothing was changed.`,
  );
}
