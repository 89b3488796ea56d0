import { realpath } from 'node:fs/promises';
import pg from 'pg';
import { type ClusterPaths, OWNER, pathsOf, readPassword, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError, hasCode } from './errors.ts';
import { findPostmaster } from './postmaster.ts';

/** The URL of the database in this directory, if it is running and answers now. */
export async function findEmbeddedPostgres(directory: string): Promise<string | null> {
  const paths = pathsOf(directory);
  const postmaster = await findPostmaster(paths.data);
  if (postmaster === null || postmaster.port === 0) return null;
  if ((await ask(await superuserUrlAt(paths, postmaster.port), paths)) !== 'ready') return null;
  return ownerUrlAt(paths, postmaster.port);
}

/** Whether a postmaster runs in this directory, busy or not. Costs no connection. */
export async function isPostmasterThere(directory: string): Promise<boolean> {
  return (await findPostmaster(pathsOf(directory).data)) !== null;
}

/** For Handover itself. */
export async function ownerUrlAt(paths: ClusterPaths, port: number): Promise<string> {
  return urlAt(port, OWNER, await readPassword(paths.ownerPassword, paths));
}

export async function superuserUrlAt(paths: ClusterPaths, port: number): Promise<string> {
  return urlAt(port, SUPERUSER, await readPassword(paths.password, paths));
}

function urlAt(port: number, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/postgres`;
}

/** Connects as superuser, which alone may read the data directory, and checks that it is this one. */
export async function ask(url: string, paths: ClusterPaths): Promise<'ready' | 'not-yet' | 'silent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const served = rows[0]?.data_directory;
    return served !== undefined && (await realpath(served)) === (await realpath(paths.data))
      ? 'ready'
      : 'silent';
  } catch (error) {
    // The server is starting up, shutting down or recovering.
    if (hasCode(error, '57P03')) return 'not-yet';
    if (hasCode(error, '28P01')) {
      throw new EmbeddedPostgresError(
        'DATABASE_PASSWORD_REFUSED',
        `The database in ${paths.data} refuses the password in ${paths.password}. Restore that file from a backup.`,
        { cause: error },
      );
    }
    return 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}
