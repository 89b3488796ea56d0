import {
  type DistributionReport,
  distributeNewTables,
  type MigrationReport,
  migrate,
} from '@handover/adapters-postgres';
import type { Command } from 'commander';
import { counted } from './command-text.ts';
import type { CommandContext } from './run-command.ts';
import { CommandError, runDatabaseCommand } from './run-command.ts';

/** `migrate`: the one command that changes the tables of DATABASE_URL. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database to the tables of this version, beside running servers')
    .action(() =>
      runDatabaseCommand(context, 'migrate', async ({ databaseUrl }) => {
        const onProgress = context.wantsJson() ? undefined : showRows(context);
        const report = await migrate(databaseUrl, { ...(onProgress ? { onProgress } : {}) });
        return describe(report, await distribute(databaseUrl));
      }),
    );
}

/** On a database that is distributed, the tables of new migrations are as well. Null on any other. */
async function distribute(databaseUrl: string): Promise<DistributionReport | null> {
  try {
    return await distributeNewTables(databaseUrl);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `The migrations are complete, but their new tables could not be distributed: ${why}\nStop the servers and run: handover database distribute`,
    );
  }
}

const SHOW_EVERY_MS = 2_000;

/** A line every two seconds while rows are filled in. */
function showRows({ output }: CommandContext) {
  let shownAt = performance.now();
  return ({ name, done, total }: { name: string; done: number; total: number }) => {
    if (performance.now() - shownAt < SHOW_EVERY_MS) return;
    shownAt = performance.now();
    output.err(`${name}: ${done} of about ${total} rows`);
  };
}

function describe({ schema, applied }: MigrationReport, distribution: DistributionReport | null) {
  const lines = applied.map(({ name, milliseconds, rows }) => {
    const filled = rows > 0 ? `, ${counted(rows, 'row')} filled in` : '';
    return `  ${name}  ${(milliseconds / 1000).toFixed(1)} s${filled}`;
  });
  const end =
    applied.length === 0
      ? `The database is up to date (${schema}). Nothing was changed.`
      : `The database is up to date (${schema}). Start or restart the servers now.`;
  if (!distribution) return { json: { schema, applied }, lines: [...lines, end] };
  const distributed = [...distribution.toReference, ...distribution.toDistribute];
  const where = `${counted(distributed.length, 'new table')} distributed over ${counted(distribution.workers, 'worker')}, beside those of before.`;
  return { json: { schema, applied, distributed }, lines: [...lines, where, end] };
}
