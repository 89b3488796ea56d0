import type pg from 'pg';
import { prepareSchema } from '../migrations/migrate.ts';
import { withClient } from '../migrations/schema-state.ts';
import { DistributionError, explainHindrance, readCitusFacts, readTables } from './citus.ts';
import { DISTRIBUTION_COLUMN } from './placements.ts';
import { type DistributionPlan, planDistribution } from './plan-distribution.ts';

/** Which tables were distributed, over how many workers. */
export interface DistributionReport extends Omit<DistributionPlan, 'beside' | 'problems'> {
  readonly citus: string;
  readonly workers: number;
  /** How many foreign keys were added again. */
  readonly foreignKeys: number;
}

/**
 * Distributes the tables of a database with Citus by organisation, as `PLACEMENTS` says, in one transaction. Tables that are
 * distributed already are left unchanged, so it can be repeated, and is repeated after each migration that creates a table.
 *
 * @throws SchemaError or DistributionError, with nothing changed, when it is not possible.
 */
export async function distributeDatabase(url: string, onTable?: OnTable): Promise<DistributionReport> {
  await prepareSchema(url);
  return distributeTables(url, onTable);
}

type OnTable = (name: string, kind: 'distributed' | 'reference') => void;

/** Accepts tables of any version of the schema: tests create databases of older versions with it. */
export async function distributeTables(
  url: string,
  onTable: OnTable = () => undefined,
): Promise<DistributionReport> {
  return withClient(url, 'distribution', async (client) => {
    const facts = await readCitusFacts(client);
    const hindrance = explainHindrance(facts);
    if (hindrance !== null) throw new DistributionError(hindrance);
    const { beside, problems, ...plan } = planDistribution(await readTables(client));
    if (problems.length > 0) {
      throw new DistributionError(
        [
          ...problems,
          'Nothing was changed. Somebody distributed it by hand: undistribute_table(…) takes it back.',
        ].join('\n'),
      );
    }
    const isChanging = plan.toReference.length + plan.toDistribute.length > 0;
    if (isChanging && facts.servers > 0 && (await haveRows(client, plan))) {
      throw new DistributionError(
        `Servers work on this database (${facts.servers} connections). Each table is locked while its rows move, so stop them first. Nothing was changed.`,
      );
    }
    const foreignKeys = isChanging ? await distribute(client, { ...plan, beside }, onTable) : 0;
    return { ...plan, citus: facts.version ?? '', workers: facts.workers, foreignKeys };
  });
}

/**
 * Distributes the tables that a migration created; null if the database is not distributed. They are empty, so servers may run
 * meanwhile. If all tables are distributed already, it does nothing.
 */
export async function distributeNewTables(url: string): Promise<DistributionReport | null> {
  const isDistributed = await withClient(url, 'distribution', async (client) => {
    const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
    return rows.length > 0 && planDistribution(await readTables(client)).beside !== null;
  });
  return isDistributed ? distributeTables(url) : null;
}

async function haveRows(
  client: pg.ClientBase,
  { toReference, toDistribute }: Pick<DistributionPlan, 'toReference' | 'toDistribute'>,
): Promise<boolean> {
  const looks = [...toReference, ...toDistribute].map((name) => `exists (select from ${name})`);
  const { rows } = await client.query<{ readonly any: boolean }>(`select ${looks.join(' or ')} as any`);
  return rows[0]?.any === true;
}

type Tables = Pick<DistributionPlan, 'toReference' | 'toDistribute' | 'beside'>;

/**
 * Foreign keys are dropped first and added last: Citus refuses a foreign key while only one of its two tables is distributed, and
 * products and their versions refer to each other.
 */
async function distribute(
  client: pg.Client,
  { toReference, toDistribute, beside }: Tables,
  onTable: OnTable,
): Promise<number> {
  await client.query('begin');
  // A transaction that changes shards of several tables must use one connection to each node.
  await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
  const keys = await dropForeignKeys(client, [...toReference, ...toDistribute]);
  for (const name of toReference) {
    onTable(name, 'reference');
    await client.query('select create_reference_table($1::text::regclass)', [name]);
  }
  const first = beside ?? toDistribute[0];
  for (const name of toDistribute) {
    onTable(name, 'distributed');
    await client.query('select create_distributed_table($1::text::regclass, $2, colocate_with => $3)', [
      name,
      DISTRIBUTION_COLUMN,
      name === first ? 'none' : first,
    ]);
  }
  // The coordinator still has the rows that were copied to the nodes.
  for (const name of [...toReference, ...toDistribute])
    await client.query('select truncate_local_data_after_distributing_table($1::text::regclass)', [name]);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  await client.query('commit');
  return keys.length;
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

async function dropForeignKeys(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
       and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))`,
    [tables],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}
