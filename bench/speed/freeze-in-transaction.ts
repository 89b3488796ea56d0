import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './open-world.ts';
import type { ServerProcess } from './server-process.ts';

const MAX_TRIES = 500;
/** What it had sent has been executed by then. */
const EXECUTED_WITHIN_MS = 50;
const RUNS_ON_MS = 7;

/**
 * Freezes a process after it has written something and before it commits, so that it holds locks. It is frozen and
 * thawed again until that is so. `names`: the application name of the process. @returns the statements after which it
 * stopped; empty if this never happened.
 */
export async function freezeInTransaction(
  world: World,
  server: ServerProcess,
  names: readonly string[],
): Promise<readonly string[]> {
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    server.freeze();
    await pause(EXECUTED_WITHIN_MS);
    const open = await world.query<{ query: string }>(
      `select query from pg_stat_activity
       where split_part(application_name, ' ', 2) = any($1) and state like 'idle in transaction%' and backend_xid is not null`,
      [names],
    );
    if (open.length > 0) return open.map(({ query }) => query.replaceAll(/\s+/g, ' ').trim());
    server.thaw();
    await pause(RUNS_ON_MS);
  }
  server.freeze();
  return [];
}

/** The application names of the running servers, within the names of their connections. */
export async function listConnectionNames({ query }: World): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    `select distinct split_part(application_name, ' ', 2) as name from pg_stat_activity where application_name like 'handover %'`,
  );
  return rows.map(({ name }) => name);
}
