import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliHere, startServer } from './support/server-process.ts';
import { makeEmptyDatabase, makeInstallation } from './support/shop.ts';

interface Said {
  readonly status: string;
  readonly checks: readonly { readonly area: string; readonly state: string; readonly finding: string }[];
}

async function runDoctor(environment: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const { code, stdout } = await runCliHere(environment, ['doctor', '--json', ...options]);
  const said = JSON.parse(stdout) as Said;
  return {
    code,
    status: said.status,
    checks: said.checks.map(({ area, state }) => `${area} ${state}`),
    said,
  };
}

it('looks at a running installation, and mails where it is told to', async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  const reached = { ...environment, SITE_URL: server.url };
  const well = await runDoctor(reached, '--mail-to', 'me@example.com');
  // Only this machine reaches the test's address.
  expect(well).toMatchObject({ code: 0, status: 'warning' });
  expect(well.checks).toEqual([
    'settings good',
    'database good',
    'database good',
    'mail good',
    'files good',
    'clock good',
    'site warning',
  ]);
  expect(mailServer.mails.map(({ subject, to }) => [subject, to?.[0]?.address])).toEqual([
    ['Test mail from Handover', 'me@example.com'],
  ]);

  const text = await runCliHere(reached, ['doctor']);
  expect(text.stdout).toContain('The mail server answers');
  expect(text.stdout).toContain('It works.');
  expect(mailServer.mails).toHaveLength(1);
});

it('exits with 1 when something must be fixed, and names each of it', async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer, await makeEmptyDatabase());
  await mailServer.stop();
  const found = await runDoctor({
    ...environment,
    SITE_URL: 'http://127.0.0.1:1',
    FILES_URL: 'file:///dev/null/x',
  });
  expect(found).toMatchObject({ code: 1, status: 'problem' });
  expect(found.checks).toEqual([
    'settings good',
    'database good',
    'database warning',
    'mail problem',
    'files problem',
    'clock good',
    'site problem',
  ]);
  const away = await runDoctor({ ...environment, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' });
  expect(away.checks).toContain('database problem');
  const wrong = await runDoctor({ ...environment, PORT: 'x', ROLE: 'y' });
  expect(wrong).toMatchObject({ code: 1, checks: ['settings problem', 'settings problem'] });
  const { code, stderr } = await runCliHere(environment, ['doctor', '--mail-to', 'nobody']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('--mail-to')]);
});

it('notices jobs that no worker takes', async () => {
  const environment = await makeInstallation(await startMailServer());
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query(`
    insert into jobs (kind, subject, org_id, lane, attempts, due_at, lease_until) values
      ('send-email', 'leased', gen_random_uuid(), 'mails', 0, now() - interval '1 hour', now() + interval '1 minute'),
      ('send-email', 'later', gen_random_uuid(), 'mails', 0, now() + interval '1 hour', null)
  `);
  const problem = expect.stringMatching(/^A job has been due for 5 minutes/);
  const { said } = await runDoctor(environment);
  expect(said.checks).not.toContainEqual(expect.objectContaining({ finding: problem }));
  await database.query(
    "update jobs set due_at = now() - interval '5 minutes 10 seconds', lease_until = null where subject = 'leased'",
  );
  const late = await runDoctor(environment);
  expect(late.said.checks).toContainEqual(expect.objectContaining({ state: 'problem', finding: problem }));
});

it('notices a database that takes no writes, although it answers', async () => {
  const environment = await makeInstallation(await startMailServer());
  const url = new URL(environment.DATABASE_URL ?? '');
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const { code, said } = await runDoctor({ ...environment, DATABASE_URL: url.href });
  expect([code, said.checks]).toEqual([
    1,
    expect.arrayContaining([
      expect.objectContaining({ finding: 'It answers, but takes no writes: it is read-only.' }),
    ]),
  ]);
});
