import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const LOOK_EVERY_MS = 25;

/** How long anything waited for a lock that a migration holds or waits for, in milliseconds, at the longest. */
export async function watchLocks(url: string): Promise<{ end(): Promise<number> }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  let longest = 0;
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      const { rows } = await client.query<{ ms: number | null }>(
        `select 1000 * extract(epoch from max(clock_timestamp() - waiting.query_start))::float8 as ms
         from pg_stat_activity waiting, unnest(pg_blocking_pids(waiting.pid)) as blocking(pid)
         join pg_stat_activity migration on migration.pid = blocking.pid
         where waiting.wait_event_type = 'Lock' and migration.application_name = 'handover migration'
           and waiting.application_name <> 'handover migration'`,
      );
      longest = Math.max(longest, rows[0]?.ms ?? 0);
      await pause(LOOK_EVERY_MS);
    }
  })();
  return {
    end: async () => {
      ended = true;
      await watching;
      await client.end();
      return longest;
    },
  };
}
