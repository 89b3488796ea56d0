import { expect, it } from 'vitest';
import { findFreePort } from '../../../packages/embedded-postgres/src/start-postmaster.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { spawnServer } from './support/server-process.ts';

it('a start that waits for a database that is away ends at once when it is told to', async () => {
  const directory = await makeTemporaryDirectory();
  const server = spawnServer({
    DATA_DIR: directory,
    DATABASE_URL: `postgresql://handover@127.0.0.1:${await findFreePort()}/handover`,
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
    FILES_URL: `file://${directory}/files`,
  });
  await server.waitForLine(/the database does not answer yet/);
  const began = performance.now();
  expect(await server.end('SIGTERM')).toBe(0);
  // It would try for a minute.
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(server.printed()).toContain('stopped');
});
