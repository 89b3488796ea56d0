import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCliForJson, startServer } from './support/server-process.ts';

it('a start adds no demo to organisations that are there, such as those of an import, and says how to sign in', async () => {
  const dataDir = await makePreparedDataDir();
  const words = ['org', 'create', '--name', 'Halo Audio', '--owner-email', 'mira@halo.test'];
  const { orgId } = await runCliForJson<{ orgId: string }>({ DATA_DIR: dataDir }, words);
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/Ctrl-C stops/);
  expect(server.printed()).toContain(`Handover runs at ${server.url}.\n`);
  expect(server.printed()).toContain('sign-in-link --email EMAIL');
  expect(server.printed()).toContain(`${server.url}/dev/mail`);
  expect(await readdir(dataDir)).not.toContain('demo.json');
  const { organisations } = await runCliForJson<{ organisations: readonly { id: string }[] }>(
    { DATA_DIR: dataDir },
    ['org', 'list'],
  );
  expect(organisations.map(({ id }) => id)).toEqual([orgId]);
});
