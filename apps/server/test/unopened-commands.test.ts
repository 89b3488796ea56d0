import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { openExport } from '../src/transfer/export-folder.ts';
import { runCliHere } from './support/server-process.ts';

// No pause between the tries of a minute.
beforeEach(() => void vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined));
afterEach(() => vi.restoreAllMocks());

const NOBODY_LISTENS = 'postgresql://handover:sesame@127.0.0.1:1/handover';

it('a command says at once that its database does not answer, and at the end which setting to fix', async () => {
  const directory = await makeTemporaryDirectory();
  const environment = {
    DATABASE_URL: NOBODY_LISTENS,
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
    FILES_URL: `file://${directory}`,
  };
  const { code, stdout, stderr } = await runCliHere(environment, ['org', 'list']);
  expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([
    1,
    '',
    [
      expect.stringMatching(
        /ECONNREFUSED .*\(the database does not answer yet; trying again for a minute\)$/,
      ),
      expect.stringMatching(/^DATABASE_URL names a database that cannot be used: .*ECONNREFUSED/),
    ],
  ]);
  expect(stderr).not.toContain('sesame');
});

it('a command names DATA_DIR where it cannot be used', async () => {
  const path = join(await makeTemporaryDirectory(), 'letters.txt');
  await writeFile(path, 'dear …');
  const { code, stderr } = await runCliHere({ DATA_DIR: path }, ['org', 'list']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR .*letters\.txt cannot be used/)]);
});

it('the folder of an export that does not exist is named, and not as an unfinished export', async () => {
  const folder = join(await makeTemporaryDirectory(), 'none');
  await expect(openExport(folder, async () => '')).rejects.toThrow(`There is no folder ${folder}.`);
});
