import { distributeDatabase, migrate } from '../../packages/adapters-postgres/src/index.ts';
import { openStoresOn, type TestStores } from '../../packages/adapters-postgres/src/testing/index.ts';
import { LEFT_OUT, TRANSFERRED } from '../../packages/adapters-postgres/src/transfer/transferred-tables.ts';
import { query } from '../../test/query.ts';
import { createCitusDatabase, type Nodes } from './nodes.ts';

/** The stores on a database that is distributed over these nodes. */
export async function openCitusStores(nodes: Nodes, name: string): Promise<TestStores> {
  const url = await createCitusDatabase(nodes, name);
  await migrate(url);
  await distributeDatabase(url);
  return openStoresOn({ url, drop: async () => undefined }, { empty: () => emptyAll(url) });
}

/** One statement that deletes from several distributed tables is refused. */
const EMPTY = [
  'begin',
  "set local citus.multi_shard_modify_mode to 'sequential'",
  'update products set active_version_id = null',
  ...[...LEFT_OUT, ...TRANSFERRED.map(({ name }) => name).toReversed()].map((name) => `delete from ${name}`),
  'commit',
].join(';');

async function emptyAll(url: string): Promise<void> {
  await query(url, EMPTY);
}
