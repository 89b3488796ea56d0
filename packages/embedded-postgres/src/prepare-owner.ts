import pg from 'pg';
import { type ClusterPaths, keepPassword, OWNER, readPassword } from './cluster.ts';

/**
 * Creates the role that Handover connects as, and makes it the owner of the database and its content. Databases of
 * former versions belong to the superuser, which alone used them; only their owner changes.
 */
export async function prepareOwner(
  superuserUrl: string,
  paths: ClusterPaths,
  log: (message: string) => void,
): Promise<void> {
  await keepPassword(paths.ownerPassword, paths);
  const password = await readPassword(paths.ownerPassword, paths);
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('begin');
    await client.query(makeRole(client.escapeLiteral(password)));
    const { rows } = await client.query<{ statement: string }>(FOREIGN_OBJECTS, [OWNER]);
    for (const { statement } of rows) await client.query(`${statement} owner to ${OWNER}`);
    await client.query('commit');
    if (rows.length > 1) log(`Gave the database to the role ${OWNER}, which is not a superuser`);
  } finally {
    await client.end();
  }
}

/** Repeated at each start: the file decides the password, and this code alone the rights of the role. */
function makeRole(password: string): string {
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = '${OWNER}') then create role ${OWNER}; end if;
    end $$;
    alter role ${OWNER} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
      password ${password}`;
}

/**
 * A statement for each object of ours that another role owns. Indexes, row types and the sequences of columns follow
 * their tables; the schema "public" belongs to the owner of the database.
 */
const FOREIGN_OBJECTS = `
  with owner as (select oid from pg_roles where rolname = $1),
  space as (
    select oid, nspname, nspowner from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
  ),
  part as (
    select classid, objid, deptype from pg_depend where deptype in ('a', 'i', 'e')
  )
  select format('alter database %I', datname) as statement from pg_database, owner
  where datname = current_database() and datdba <> owner.oid
  union all
  select format('alter schema %I', nspname) from space, owner
  where nspname <> 'public' and nspowner <> owner.oid
  union all
  select format('alter %s %I.%I',
      case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
        when 'c' then 'type' else 'table' end,
      nspname, relname)
  from pg_class class join space on space.oid = relnamespace, owner
  where relkind in ('r', 'p', 'v', 'm', 'c', 'S') and relowner <> owner.oid and not exists (
    select from part where classid = 'pg_class'::regclass and objid = class.oid and (relkind = 'S' or deptype = 'e'))
  union all
  select format('alter type %I.%I', nspname, typname)
  from pg_type type join space on space.oid = typnamespace, owner
  where typtype in ('e', 'd') and typowner <> owner.oid and not exists (
    select from part where classid = 'pg_type'::regclass and objid = type.oid and deptype = 'e')
  union all
  select format('alter routine %s', routine.oid::regprocedure)
  from pg_proc routine join space on space.oid = pronamespace, owner
  where proowner <> owner.oid and not exists (
    select from part where classid = 'pg_proc'::regclass and objid = routine.oid and deptype in ('i', 'e'))`;
