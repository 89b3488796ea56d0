import { join } from 'node:path';
import pg from 'pg';
import { findEmbeddedPostgres } from '../packages/embedded-postgres/src/index.ts';
import type { TrialServer } from './trial-server.ts';

/** Connects to the database of a trial server, to fill it faster than its API could. */
export async function connectDatabase({ dataDir }: Pick<TrialServer, 'dataDir'>): Promise<pg.Client> {
  const connectionString = (await findEmbeddedPostgres(join(dataDir, 'postgres'))) ?? '';
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
