import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isPostmasterThere, startEmbeddedPostgres, upgradeData } from '@handover/embedded-postgres';
import { expect, it } from 'vitest';
import { locateBinaries } from '../../../packages/embedded-postgres/src/programs.ts';
import { query } from '../../../test/query.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { transferRows } from '../src/transfer/transfer-rows.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCliForJson, runCliHere } from './support/server-process.ts';

const listOrganisations = (environment: Readonly<Record<string, string>>) =>
  runCliForJson<{ organisations: readonly { name: string }[] }>(environment, ['org', 'list']);

// The programs of an older PostgreSQL are not on every machine (npm run upgrade-check uses them): here the same ones
// serve the data that counts as former.
it('moves the data to a new database, keeps what was there, and finishes after a crash between the renames', async () => {
  const environment = { DATA_DIR: await makePreparedDataDir() };
  const directory = join(environment.DATA_DIR, 'postgres');
  await runCliForJson(environment, ['org', 'create', '--name', 'Lumen', '--owner-email', 'owner@lumen.test']);
  const before = await listOrganisations(environment);
  const former = { version: '17', binaries: locateBinaries() };
  const tables: string[] = [];
  const upgrade = (transfer: Parameters<typeof upgradeData>[0]['transfer']) =>
    upgradeData({ directory, former, log: () => undefined, transfer });

  // What fails leaves everything as it was.
  await expect(upgrade(() => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  expect(await readdir(directory)).not.toContain('upgrade');
  expect(await listOrganisations(environment)).toEqual(before);
  const password = join(directory, 'password');
  await rename(password, `${password}.lost`);
  await expect(upgrade(async () => undefined)).rejects.toThrow(/password is missing/);
  expect(await isPostmasterThere(directory)).toBe(false);
  await rename(`${password}.lost`, password);

  const kept = await upgrade(async (fromUrl, toUrl, scratch) => {
    await transferRows(fromUrl, toUrl, scratch, ({ name, rows }) => rows > 0 && tables.push(name));
    await query(toUrl, 'create table only_in_the_new_one ()');
  });
  expect(kept).toBe(join(directory, 'data-17'));
  expect(tables).toEqual(expect.arrayContaining(['organisations', 'users', 'api_keys', 'activity']));
  expect(await readdir(directory)).not.toContain('upgrade');
  expect(await listOrganisations(environment)).toEqual(before);
  await expect(upgrade(async () => undefined)).rejects.toThrow(/data-17 is there already/);

  // As a crash after the first rename leaves it.
  await mkdir(join(directory, 'upgrade', 'new'), { recursive: true });
  await writeFile(join(directory, 'upgrade', 'complete'), '');
  await rename(join(directory, 'data'), join(directory, 'upgrade', 'new', 'data'));
  const postgres = await startEmbeddedPostgres({ directory });
  expect(await query(postgres.url, 'select from only_in_the_new_one')).toEqual([]);
  await postgres.stop();
});

it('says what it needs, and changes nothing where there is nothing to do', async () => {
  const environment = { DATA_DIR: await makeTemporaryDirectory() };
  const upgrade = (changes: Readonly<Record<string, string>> = {}) =>
    runCliHere({ ...environment, ...changes }, ['database', 'upgrade']);
  expect((await upgrade()).stdout).toMatch(/no database in .* yet. Nothing was changed/);
  const data = join(environment.DATA_DIR, 'postgres', 'data');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'PG_VERSION'), '9\n');
  const refused = await runCliHere(environment, ['org', 'list']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/Run: handover database upgrade/),
  ]);
  const missing = await upgrade();
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/apt install postgresql-9\).*--binaries/),
  ]);
  const { stdout } = await promisify(execFile)(join(locateBinaries(), 'postgres'), ['--version']);
  const [, current = ''] = /\) (\d+)/.exec(stdout) ?? [];
  await writeFile(join(data, 'PG_VERSION'), `${current}\n`);
  expect((await upgrade()).stdout).toMatch(/already. Nothing was changed/);
  expect(await readFile(join(data, 'PG_VERSION'), 'utf8')).toBe(`${current}\n`);
  const own = {
    DATABASE_URL: 'postgres://h@127.0.0.1:1/h',
    HANDOVER_SECRET: 'x'.repeat(32),
    FILES_URL: 'file:///tmp/f',
  };
  expect((await upgrade(own)).stderr).toMatch(/PostgreSQL of your own/);
  await rm(data, { recursive: true });
});
