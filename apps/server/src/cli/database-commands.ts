import { join } from 'node:path';
import { type DistributionReport, distributeDatabase, SWEEPS } from '@handover/adapters-postgres';
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
import {
  type CommandContext,
  CommandError,
  type CommandResult,
  printResult,
  readEnvironment,
  runDatabaseCommand,
} from './run-command.ts';

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

/** `database distribute`. */
function addDistributeCommand(database: Command, context: CommandContext): void {
  database
    .command('distribute')
    .description('distribute the tables of DATABASE_URL over several machines by organisation, with Citus')
    .action(() =>
      runDatabaseCommand(context, 'database distribute', async ({ databaseUrl, settings }) => {
        if (settings.databaseUrl === null) {
          throw new CommandError(
            'The embedded database is on one machine. Move to a PostgreSQL with Citus first (handover export, then import with its DATABASE_URL).',
          );
        }
        const say = (line: string) => (context.wantsJson() ? undefined : context.output.err(line));
        return describe(
          await distributeDatabase(databaseUrl, (name, kind) =>
            say(kind === 'reference' ? `${name}: to every node` : `${name}: by organisation`),
          ),
        );
      }),
    );
}

function describe(report: DistributionReport): CommandResult {
  const { citus, workers, toReference, toDistribute, done, local, unknown, foreignKeys } = report;
  const moved = toReference.length + toDistribute.length;
  const lines = [
    moved === 0
      ? `All ${counted(done.length, 'table')} are distributed already. Nothing was changed.`
      : `Citus ${citus} with ${counted(workers, 'worker')}: ${counted(toDistribute.length, 'table')} distributed by organisation, ${toReference.length} copied to every node; ${done.length} were before. ${counted(foreignKeys, 'foreign key')} put back.`,
    `On the coordinator alone: ${local.join(', ')}.`,
    ...(unknown.length > 0 ? [`Not of Handover, and left as they are: ${unknown.join(', ')}.`] : []),
    'Each statement names its organisation and asks one node, but for these:',
    ...SWEEPS.map(({ why }) => `  ${why}`),
    'Next: start the servers, with DATABASE_URL as it is. handover migrate distributes the tables that it makes. More machines: citus_add_node, then citus_rebalance_start().',
  ];
  return { json: { ...report, sweeps: SWEEPS.map(({ why }) => why) }, lines };
}
