import type pg from 'pg';
import { withClient } from '../migrations/schema-state.ts';

/** How many connections of Handover's servers the database has now. */
export async function countServerConnections(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ readonly connections: number }>(
    `select count(*)::integer as connections from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name ~ $1`,
    [SERVERS],
  );
  return rows[0]?.connections ?? 0;
}

/** Whether a server works on the database. One that has just started may not have connected yet. */
export async function isServed(url: string): Promise<boolean> {
  return withClient(url, 'import', async (client) => (await countServerConnections(client)) > 0);
}

/**
 * The application names of servers' pools (`createPool`): “handover” with the process and the purpose, in older versions with a
 * second id instead of the purpose. Commands have other names. A server that is only asked whether it is ready closes its pools,
 * and keeps the connection of that question.
 */
const SERVERS = '^handover ([0-9a-f]{8} \\w+|readiness)$';
