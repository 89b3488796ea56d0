import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createJobQueue, createPostgresStores, migrate, openDatabase } from '@handover/adapters-postgres';
import { createOrganisation } from '@handover/domain';
import { startEmbeddedPostgres } from '@handover/embedded-postgres';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openCluster, prepareCluster } from '../../../packages/embedded-postgres/src/cluster.ts';
import { superuserUrlAt } from '../../../packages/embedded-postgres/src/find-embedded-postgres.ts';
import { startPostmaster } from '../../../packages/embedded-postgres/src/start-postmaster.ts';
import {
  identifyPostmaster,
  stopPostmaster,
} from '../../../packages/embedded-postgres/src/stop-postmaster.ts';
import { query } from '../../../test/query.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { ids } from '../src/composition/composition.ts';
import { readGeneratedSecret } from '../src/composition/generated-secret.ts';
import { createApiKeys, createKeyring, createSecretBox } from '../src/keyring/keyring.ts';
import { startServer } from './support/server-process.ts';

const RIGHTS = `
  select current_user as name, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
    (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner
  from pg_roles where rolname = current_user`;

/** Everything in the database that another role owns, except for PostgreSQL's own objects. */
const FOREIGN = `
  select relname as name from pg_class where relnamespace::regnamespace::text = 'public'
    and relowner <> current_user::regrole
  union all select proname from pg_proc where pronamespace::regnamespace::text = 'public'
    and proowner <> current_user::regrole
  union all select typname from pg_type where typnamespace::regnamespace::text = 'public'
    and typowner <> current_user::regrole`;

it('is a role that owns its database and has no other right; its random password is readable by its user only', async () => {
  const passwords: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const directory = join(await makeTemporaryDirectory(), 'postgres');
    const { url, stop } = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
    onTestFinished(() => stop());
    expect(await query(url, RIGHTS)).toEqual([
      {
        name: 'handover_owner',
        owner: 'handover_owner',
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    for (const statement of [
      'create role another',
      'create database another',
      'alter role handover_owner superuser',
      'set role handover',
      "select pg_read_file('/etc/passwd')",
      "copy (select 1) to program 'true'",
    ]) {
      await expect(query(url, statement), statement).rejects.toMatchObject({ code: '42501' });
    }
    await migrate(url);
    const file = join(directory, 'owner-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    passwords.push((await readFile(file, 'utf8')).trim());
  }
  expect(new Set(passwords).size).toBe(2);
  for (const password of passwords) expect(password).toMatch(/^[\w-]{32}$/);
});

it('takes over a database that the superuser created, and keeps its content', async () => {
  const dataDir = await makeTemporaryDirectory();
  const apiKey = await makeFormerInstallation(dataDir);
  await rm(join(dataDir, 'postgres', 'owner-password'), { force: true });

  for (const expected of [/Gave the database to the role handover_owner/, null]) {
    const server = await startServer({ DATA_DIR: dataDir });
    await server.waitForLine(/Ctrl-C stops/);
    if (expected) expect(server.printed()).toMatch(expected);
    else expect(server.printed()).not.toContain('Gave the database');
    const answer = await fetch(`${server.url}/api/products`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect([answer.status, await answer.json()]).toEqual([200, []]);
    await server.end();
  }

  const { url, stop } = await startEmbeddedPostgres({ directory: join(dataDir, 'postgres') });
  onTestFinished(() => stop());
  expect(await query(url, FOREIGN)).toEqual([]);
  expect(await query(url, 'select name from organisations')).toEqual([{ name: 'Former shop' }]);
  // This includes tables, sequences, functions and types that others create later.
  expect(await query(url, 'select note from made_by_hand')).toEqual([{ note: 'kept' }]);
  expect(await query(url, "select nextval('counted_by_hand')::integer as next")).toEqual([{ next: 8 }]);
});

/** A database of former versions, which connected as superuser; returns the API key of a shop in it. */
async function makeFormerInstallation(dataDir: string): Promise<string> {
  const cluster = await openCluster(join(dataDir, 'postgres'));
  await prepareCluster(cluster, { durable: false });
  const url = await superuserUrlAt(cluster, await startPostmaster(cluster, { fsync: 'off' }));
  await migrate(url);
  await query(
    url,
    `create table made_by_hand as select 'kept' as note; create view seen_by_hand as select * from made_by_hand;
     create sequence counted_by_hand start 7; select nextval('counted_by_hand');
     create domain worded_by_hand as text; create type named_by_hand as enum ('a');
     create type paired_by_hand as (a text, b text);
     create procedure done_by_hand() language sql as 'select 1'`,
  );
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url, log });
  const jobs = createJobQueue({ url, log });
  const keyring = createKeyring([await readGeneratedSecret(dataDir, async () => false)]);
  const stores = createPostgresStores({
    database,
    jobs,
    secretBox: createSecretBox(keyring, 'connection-secret'),
  });
  const apiKeys = createApiKeys(createSecretBox(keyring, 'api-key'));
  const made = await createOrganisation(
    { ...stores, clock: { now: () => new Date() }, ids, apiKeys },
    { name: 'Former shop', ownerEmail: 'former@example.com', ownerName: 'Ana' },
  );
  await jobs.stop();
  await database.close();
  await stopPostmaster(await identifyPostmaster(cluster.data));
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.apiKey;
}
