import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { runCli } from './support/server-process.ts';

it('a command says that it made a database where DATA_DIR held none, and says nothing of one that is there', async () => {
  const environment = { DATA_DIR: join(await makeTemporaryDirectory(), 'mistyped') };
  const first = await runCli(environment, ['org', 'list', '--json']);
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { organisations: [], next: null }]);
  expect(first.stderr).toContain(`Made a PostgreSQL 18 database in ${environment.DATA_DIR}`);
  expect(await runCli(environment, ['org', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' });
});
