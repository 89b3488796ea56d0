import { join } from 'node:path';
import { copyPreparedPostgres } from '../../../../test/prepared-postgres.ts';
import { makeTemporaryDirectory } from '../../../../test/temporary-directory.ts';

/** A DATA_DIR with a migrated database and nothing else, for tests that are not about making it. */
export async function makePreparedDataDir(): Promise<string> {
  const dataDir = await makeTemporaryDirectory();
  await copyPreparedPostgres(join(dataDir, 'postgres'));
  return dataDir;
}
