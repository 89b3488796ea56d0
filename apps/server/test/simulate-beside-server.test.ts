import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OUR_PLATFORMS } from '@handover/domain';
import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCliForJson, runCliHere, startServer } from './support/server-process.ts';

async function startTrial(settings: Readonly<Record<string, string>> = {}) {
  const dataDir = await makePreparedDataDir();
  const server = await startServer({ DATA_DIR: dataDir, ...settings });
  await server.waitForLine(/Ctrl-C stops/);
  const { orgId } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { orgId: string };
  // The second terminal: it does not have the server's settings.
  const say = (words: readonly string[]) => runCliHere({ DATA_DIR: dataDir }, words);
  const simulate = (platform: string, org = orgId) =>
    say(['simulate', platform, '--org', org, '--sku', 'felt-piano']);
  return { dataDir, server, simulate, say };
}

it('the demo shop is connected to every platform, and simulate sends from each', async () => {
  const { dataDir, server, simulate, say } = await startTrial();
  for (const label of OUR_PLATFORMS.list()) {
    const { code, stdout } = await simulate(label);
    expect([label, code, stdout]).toEqual([
      label,
      0,
      expect.stringContaining('The webhook log says: success.'),
    ]);
    expect(stdout).toContain(`in ${server.url}/dev/mail`);
  }

  const email = 'second@example.com';
  const create = ['org', 'create', '--name', 'Second', '--owner-email', email];
  const { orgId } = await runCliForJson<{ orgId: string }>({ DATA_DIR: dataDir }, create);
  const refused = await simulate('cart-a', orgId);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'SamCart (cart-a) is not set up for this organisation. Set up are: Stripe (payments-a). ' +
      `Set its secret first:\n  npm run --silent handover -- integration set --org ${orgId} --platform cart-a\n`,
  ]);
  await say(['integration', 'set', '--org', orgId, '--platform', 'cart-a', '--generate-secret']);
  const other = await simulate('storefront-a', orgId);
  expect(other.stderr).toContain('Set up are: Stripe (payments-a), SamCart (cart-a).');
});

it('simulate prints where the server’s mails go, and no file contains the server’s secrets', async () => {
  const mailServer = await startMailServer();
  const { dataDir, simulate } = await startTrial({
    SMTP_URL: mailServer.url,
    PAYMENTS_A_SIGNING_SECRET: 'whsec_of-the-server',
  });
  const { code, stdout } = await simulate('storefront-a');
  expect([code, stdout]).toEqual([0, expect.stringContaining('in ana@example.com’s mailbox')]);
  const refused = await simulate('payments-a');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'The server was started with PAYMENTS_A_SIGNING_SECRET, which it tells nobody. Give this command the same.\n',
  ]);
  const locks = await readdir(join(dataDir, 'lock'));
  const written = await Promise.all(locks.map((name) => readFile(join(dataDir, 'lock', name), 'utf8')));
  expect(written.join()).toContain('"receipts":"smtp"');
  expect(written.join()).not.toMatch(/smtp:|whsec/);
});
