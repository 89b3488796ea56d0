import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const MAY_READ_IT = [
  // It only says when a span began and ended.
  'apps/server/src/telemetry/open-tracing.ts',
  // It only detects that the machine may have slept, and does not tell the time.
  'packages/adapters-postgres/src/clock/database-clock.ts',
  // It compares this machine's clock with the database's, for the doctor.
  'packages/adapters-postgres/src/database/examine-database.ts',
  // A default for embedding programs, which may have no database; the server passes the database's clock.
  'packages/adapters-postgres/src/jobs/job-queue.ts',
];

it("no code that decides what is due reads the machine's clock", async () => {
  const sources = ['apps/server/src', 'packages/adapters-http/src', 'packages/adapters-postgres/src'];
  const readers: string[] = [];
  for await (const file of glob(
    sources.map((folder) => `${folder}/**/*.ts`),
    { cwd: root },
  )) {
    if (/\bDate\.now\(|\bnew Date\(\)/.test(await readFile(`${root}/${file}`, 'utf8'))) readers.push(file);
  }
  expect(readers.sort()).toEqual(MAY_READ_IT);
});
