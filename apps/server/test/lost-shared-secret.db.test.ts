import { expect, it } from 'vitest';
import { openDatabase } from './support/open-database.ts';
import { runCliHere } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';

const shared = shareServer();

it('the signing secret of Stripe that cannot be decrypted is entered again by a command, since the server does not start', async () => {
  const { environment, shop } = await openOwnShop(shared());
  const database = await openDatabase(environment.DATABASE_URL);
  const sealed = 'gone-with-its-key';
  await database.query(
    `insert into shared_secrets (id, sealed, created_at) values (gen_random_uuid(), $1, now())`,
    [sealed],
  );
  // What needs no secret works meanwhile, and says what else to do.
  const account = ['account', 'map', '--org', shop.orgId, '--account', 'acct_lost_secret'];
  const mapped = await runCliHere(environment, account);
  expect([mapped.code, mapped.stderr]).toEqual([0, '']);
  expect(mapped.stdout).toMatch(
    /belongs to organisation[\s\S]*was encrypted with a secret that HANDOVER_SECRET does not list[\s\S]*integration set --org \S+ --platform payments-a/,
  );
  const set = (secret: string) => {
    const words = ['--org', shop.orgId, '--platform', 'payments-a', '--secret', secret];
    return runCliHere(environment, ['integration', 'set', ...words]);
  };
  const wrong = await set('sk_live_of-the-api');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--secret must begin with whsec_')]);
  const done = await set('whsec_from-the-endpoint');
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toContain('Start the server');
  const { rows } = await database.query('select sealed from shared_secrets where expires_at is null');
  expect(rows).toHaveLength(1);
  expect(rows[0].sealed).not.toBe(sealed);
  const entries = await database.query(
    `select from activity where org_id = $1 and summary like 'The signing secret of Stripe was replaced%'`,
    [shop.orgId],
  );
  expect(entries.rowCount).toBe(1);
  // From now on it is set where it always is.
  expect((await set('whsec_another-one')).stderr).toContain('on the dashboard');
});
