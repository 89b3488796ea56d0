import type pg from 'pg';
import { type NoAnswer, overNewConnection } from './over-new-connection.ts';

/** The server's ends of a pool's connections, asked about over a connection that is none of them. */
export interface Backends {
  /**
   * Which of these work on no query, or are no more. None, if the server does not know its connections by
   * the process ids that clients see, as behind a pooler.
   */
  findIdle(processIds: readonly number[]): Promise<readonly number[] | NoAnswer>;
  /** Ends those of these that work on no query, and so whatever they had begun and the locks they held. */
  endIdle(processIds: readonly number[]): Promise<void>;
}

/**
 * `name` is the application name of the pool's connections, and no other's: after a fail-over a process id
 * may be a stranger's.
 */
export function createBackends(url: string, name: string, withinMs: number): Backends {
  return {
    findIdle: (processIds) =>
      overNewConnection(url, withinMs, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from unnest($1::integer[]) as pid
           where pg_backend_pid() = $2 and not exists (
             select from pg_stat_activity activity
             where activity.pid = pid.pid and application_name = $3
               and coalesce(state <> all($4::text[]), true)
           )`,
          [processIds, processIdOf(client), name, IDLE],
        );
        return rows.map(({ pid }) => pid);
      }),
    endIdle: async (processIds) => {
      await overNewConnection(url, withinMs, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where pid = any($1::integer[]) and pg_backend_pid() = $2 and application_name = $3
             and state = any($4::text[])`,
          [processIds, processIdOf(client), name, IDLE],
        ),
      );
    },
  };
}

// Any other state, and one that we may not see, counts as work.
const IDLE = ['idle', 'idle in transaction', 'idle in transaction (aborted)'];

/** What pg was told when it connected; its types do not say that it knows. */
export function processIdOf(client: pg.ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}
