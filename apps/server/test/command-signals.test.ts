import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isPostmasterThere } from '@handover/embedded-postgres';
import { expect, it, vi } from 'vitest';
import { makeTemporaryDirectory, runCliForJson, spawnCli } from './support/server-process.ts';

const SIGTERM = 128 + 15;
const WAIT = { timeout: 60_000, interval: 20 };

it('a command that is told to stop ends the database that it started', async () => {
  const DATA_DIR = await makeTemporaryDirectory();
  const postgres = join(DATA_DIR, 'postgres');
  const command = spawnCli({ DATA_DIR }, ['org', 'list']);
  await vi.waitUntil(() => isPostmasterThere(postgres), WAIT);
  expect(await command.end('SIGTERM')).toBe(SIGTERM);
  expect(await isPostmasterThere(postgres)).toBe(false);
});

it('a verification that is told to stop leaves no scratch database behind', async () => {
  const DATA_DIR = await makeTemporaryDirectory();
  const TMPDIR = await makeTemporaryDirectory();
  const folder = join(DATA_DIR, 'export');
  await runCliForJson({ DATA_DIR }, ['export', folder]);
  const command = spawnCli({ TMPDIR }, ['backup', 'verify', folder]);
  const isStarted = async () => {
    const [scratch = ''] = await readdir(TMPDIR);
    return scratch !== '' && isPostmasterThere(join(TMPDIR, scratch, 'postgres'));
  };
  await vi.waitUntil(isStarted, WAIT);
  expect(await command.end('SIGTERM')).toBe(SIGTERM);
  expect(await readdir(TMPDIR)).toEqual([]);
});
