import { randomBytes } from 'node:crypto';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCli, runCliForJson, spawnServer } from './support/server-process.ts';

it('a secret that is lost is not replaced by a new one: server, commands and doctor say how to restore it', async () => {
  const dataDir = await makePreparedDataDir();
  const environment = { DATA_DIR: dataDir, PORT: '0' };
  const shop = ['org', 'create', '--name', 'A', '--owner-email', 'a@example.com'];
  const { orgId } = await runCliForJson<{ readonly orgId: string }>(environment, shop);
  const words = ['--org', orgId, '--platform', 'storefront-a', '--secret', 'a'.repeat(32)];
  await runCliForJson(environment, ['integration', 'set', ...words]);
  const path = join(dataDir, 'secret');
  await rename(path, `${path}.away`);

  const server = spawnServer(environment);
  await server.waitForLine(/secret is missing.*Restore/);
  expect(await server.ended()).toBe(1);
  const listed = await runCli(environment, ['org', 'list']);
  expect([listed.code, listed.stderr]).toEqual([1, expect.stringMatching(/secret is missing.*Restore/)]);
  expect(await doctor()).toContainEqual(['problem', expect.stringContaining('secret is missing')]);
  expect(await readdir(dataDir)).not.toContain('secret');

  // The way on where nobody has a copy.
  await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o600 });
  expect(await doctor()).toContainEqual(['problem', expect.stringContaining('1 webhook secret')]);
  await runCliForJson(environment, ['integration', 'set', ...words]);
  expect((await doctor()).filter(([state]) => state === 'problem')).toEqual([
    ['problem', expect.stringContaining('/healthz')],
  ]);

  async function doctor(): Promise<readonly (readonly [string, string])[]> {
    const { stdout } = await runCli(environment, ['doctor', '--json']);
    const said: { checks: { state: string; finding: string }[] } = JSON.parse(stdout);
    return said.checks.map(({ state, finding }) => [state, finding] as const);
  }
});
