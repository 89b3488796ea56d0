import { type DistributionReport, distributeDatabase, SWEEPS } from '@handover/adapters-postgres';
import type { Command } from 'commander';
import { counted } from './command-text.ts';
import { type CommandContext, CommandError, type CommandResult, runDatabaseCommand } from './run-command.ts';

/** `database distribute`. */
export function addDistributeCommand(database: Command, context: CommandContext): void {
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
