import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPostmasterThere } from '@handover/embedded-postgres';
import { expect, it, vi } from 'vitest';
import { locateBinaries } from '../../../packages/embedded-postgres/src/programs.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCliForJson, spawnCli } from './support/server-process.ts';

const SIGTERM = 128 + 15;
const WAIT = { timeout: 60_000, interval: 20 };

it('a command that is told to stop ends the database that it started', async () => {
  const DATA_DIR = await makePreparedDataDir();
  const postgres = join(DATA_DIR, 'postgres');
  const command = spawnCli({ DATA_DIR }, ['org', 'list']);
  await vi.waitUntil(() => isPostmasterThere(postgres), WAIT);
  expect(await command.end('SIGTERM'), command.readErrors()).toBe(SIGTERM);
  expect(await isPostmasterThere(postgres)).toBe(false);
});

it('a verification that is told to stop leaves no scratch database behind', async () => {
  const DATA_DIR = await makePreparedDataDir();
  const TMPDIR = await makeTemporaryDirectory();
  const folder = join(DATA_DIR, 'export');
  await runCliForJson({ DATA_DIR }, ['export', folder]);
  const command = spawnCli({ TMPDIR }, ['backup', 'verify', folder]);
  const isStarted = async () => {
    const [scratch = ''] = await readdir(TMPDIR);
    return scratch !== '' && isPostmasterThere(join(TMPDIR, scratch, 'postgres'));
  };
  await vi.waitUntil(isStarted, WAIT);
  expect(await command.end('SIGTERM'), command.readErrors()).toBe(SIGTERM);
  expect(await readdir(TMPDIR)).toEqual([]);
});

it('a verification that is killed leaves a scratch database, which the next one removes', async () => {
  const DATA_DIR = await makePreparedDataDir();
  const TMPDIR = await makeTemporaryDirectory();
  const folder = join(DATA_DIR, 'export');
  await runCliForJson({ DATA_DIR }, ['export', folder]);
  const killed = spawnCli({ TMPDIR }, ['backup', 'verify', folder]);
  const findScratch = async () => {
    const [scratch = ''] = await readdir(TMPDIR);
    return scratch === '' ? '' : join(TMPDIR, scratch, 'postgres');
  };
  await vi.waitUntil(async () => isPostmasterThere(await findScratch()), WAIT);
  const left = await findScratch();
  expect(await killed.end('SIGKILL')).toBe(null);
  expect(await isPostmasterThere(left)).toBe(true);
  const next = spawnCli({ TMPDIR }, ['backup', 'verify', folder]);
  expect(await next.ended).toBe(0);
  expect(await isPostmasterThere(left)).toBe(false);
  expect(await readdir(TMPDIR)).toEqual([]);
});

it('an upgrade of the database that is told to stop ends both servers, and the data is where it was', async () => {
  const DATA_DIR = await makePreparedDataDir();
  const postgres = join(DATA_DIR, 'postgres');
  await runCliForJson({ DATA_DIR }, ['org', 'create', '--name', 'Lumen', '--owner-email', 'a@lumen.test']);
  // The same programs serve the data that counts as former.
  const version = join(postgres, 'data', 'PG_VERSION');
  const made = await readFile(version, 'utf8');
  const binaries = await makeTemporaryDirectory();
  await makeFormerPrograms(binaries, version, made);
  await writeFile(version, '9\n');
  const command = spawnCli({ DATA_DIR }, ['database', 'upgrade', '--binaries', binaries]);
  const isUnderWay = () => isPostmasterThere(join(postgres, 'upgrade', 'new'));
  await vi.waitUntil(isUnderWay, WAIT);
  expect(await command.end('SIGTERM'), command.readErrors()).toBe(SIGTERM);
  expect(await isUnderWay()).toBe(false);
  expect(await isPostmasterThere(postgres)).toBe(false);
  expect(await readdir(postgres)).not.toContain('upgrade');
  await writeFile(version, made);
  const { organisations } = await runCliForJson<{ organisations: readonly unknown[] }>({ DATA_DIR }, [
    'org',
    'list',
  ]);
  expect(organisations).toHaveLength(1);
});

/** Programs that call ours, and give the data its version back: ours refuse data of another one. */
async function makeFormerPrograms(folder: string, versionFile: string, version: string): Promise<void> {
  const script = `#!/bin/sh\nprintf '%s\\n' '${version.trim()}' > '${versionFile}'\nexec '${join(locateBinaries(), 'pg_ctl')}' "$@"\n`;
  await writeFile(join(folder, 'pg_ctl'), script, { mode: 0o755 });
  await chmod(folder, 0o755);
}
