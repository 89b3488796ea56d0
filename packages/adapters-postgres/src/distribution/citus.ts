import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database/schema.ts';
import { countServerConnections } from '../database/server-connections.ts';
import type { FoundTable } from './plan-distribution.ts';

/** The database cannot be distributed as it is. The message says what to do. Nothing was changed. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
  readonly code = 'not-distributable';
}

/** The state of Citus on a database. */
export interface CitusFacts {
  readonly postgresVersion: number;
  /** Null: the extension is not in this database. */
  readonly version: string | null;
  /** Whether the extension's files are on the machine. */
  readonly isInstalled: boolean;
  readonly isPreloaded: boolean;
  /** Whether the workers know the coordinator's address: local tables that refer to reference tables need that. */
  readonly isCoordinatorKnown: boolean;
  readonly workers: number;
  /** Nodes with `max_prepared_transactions = 0`. */
  readonly withoutPrepared: readonly string[];
  /** The number of connections of Handover's servers. */
  readonly servers: number;
}

/** Why a database cannot be distributed; null if it can. */
export function explainHindrance(facts: CitusFacts): string | null {
  const { postgresVersion, version, isInstalled, isPreloaded, workers, withoutPrepared } = facts;
  if (version === null) {
    const steps = [
      ...(isInstalled ? [] : [`install the package postgresql-${postgresVersion}-citus-… of citusdata.com`]),
      ...(isPreloaded
        ? []
        : [
            "set shared_preload_libraries = 'citus' and max_prepared_transactions = 400, and restart PostgreSQL",
          ]),
      'run “create extension citus” in the database',
    ];
    return `This database has no Citus. On each node: ${steps.join('; ')}. Then run this again. docs/scale.md has the whole way.`;
  }
  if (!facts.isCoordinatorKnown) {
    return 'The nodes do not know their coordinator. Run there: select citus_set_coordinator_host(‘the name by which the others reach it’, 5432), and this again.';
  }
  if (workers === 0) {
    return 'There is no worker. Add each: select citus_add_node(‘its name’, 5432), and run this again.';
  }
  if (withoutPrepared.length > 0) {
    return `Transactions over several nodes need max_prepared_transactions, which is 0 at ${withoutPrepared.join(', ')}. Set it to 400, restart PostgreSQL there, and run this again.`;
  }
  return null;
}

export async function readCitusFacts(client: pg.ClientBase): Promise<CitusFacts> {
  const { rows } = await client.query<
    Omit<CitusFacts, 'servers' | 'isCoordinatorKnown' | 'workers' | 'withoutPrepared'>
  >(
    `select
       current_setting('server_version_num')::integer / 10000 as "postgresVersion",
       (select extversion from pg_extension where extname = 'citus') as version,
       exists (select from pg_available_extensions where name = 'citus') as "isInstalled",
       current_setting('shared_preload_libraries') ~ '\\mcitus\\M' as "isPreloaded"`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('A statement without conditions found no row.');
  const nodes = facts.version === null ? NO_NODES : await readNodes(client);
  return { ...facts, servers: await countServerConnections(client), ...nodes };
}

const NO_NODES = { isCoordinatorKnown: false, workers: 0, withoutPrepared: [] } as const;

async function readNodes(
  client: pg.ClientBase,
): Promise<Pick<CitusFacts, 'isCoordinatorKnown' | 'workers' | 'withoutPrepared'>> {
  const { rows } = await client.query<{ readonly name: string; readonly isCoordinator: boolean }>(
    `select format('%s:%s', nodename, nodeport) as name, groupid = 0 as "isCoordinator"
     from pg_dist_node where noderole = 'primary' and isactive`,
  );
  const prepared = await client.query<{ readonly name: string; readonly count: string }>(
    `select 'the coordinator' as name, current_setting('max_prepared_transactions') as count
     union all
     select format('%s:%s', nodename, nodeport), result
     from run_command_on_workers('show max_prepared_transactions')`,
  );
  return {
    isCoordinatorKnown: rows.some(({ isCoordinator }) => isCoordinator),
    workers: rows.filter(({ isCoordinator }) => !isCoordinator).length,
    withoutPrepared: prepared.rows.filter(({ count }) => count === '0').map(({ name }) => name),
  };
}

/** Every table of the schema except partitions, with what Citus knows about it. */
export async function readTables(client: pg.ClientBase): Promise<readonly FoundTable[]> {
  const { rows } = await client.query<FoundTable>(
    `select
       relname as name,
       case
         when partmethod = 'h' then 'distributed'
         when partmethod = 'n' and repmodel = 't' then 'reference'
         when partmethod = 'n' then 'local'
         else 'plain'
       end as kind,
       case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as column
     from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       -- Those of an extension are its own, and so are the parts of a table that this node holds.
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
       and relname !~ '_[0-9]{6,}$'
     order by relname`,
  );
  return rows;
}

/**
 * Whether the tables are distributed over several nodes. Only sweeps ask: a statement with locks for all organisations has to be
 * written differently there.
 */
export async function isDistributed(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}
