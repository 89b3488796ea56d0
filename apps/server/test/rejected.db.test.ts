import { expect, it } from 'vitest';
import { runCli, runCliForJson } from './support/server-process.ts';
import { listPurchases, until } from './support/shop.ts';
import { openRunningShop, SALE, SIGNERS } from './support/webhooks.ts';

interface Said {
  readonly rejectedThatVerify: number;
  readonly delivered: number;
}

it('what was rejected on any platform is delivered once the right secret is set, and once only', async () => {
  const { server, shop, integrate, post, log, mailServer } = await openRunningShop();
  const platforms = Object.entries(SIGNERS).filter(([platform]) => platform !== 'storefront-a');
  for (const [at, [platform, sign]] of platforms.entries()) {
    const sale = { ...SALE, orderId: `80${at}`, email: `buyer-${at}@example.com` };
    for (const secret of [`right-${platform}`, `wrong-${platform}`]) {
      expect((await post(platform, sign(secret, sale))).status).toBe(401);
    }
    const deliver = () => integrate<Said>(platform, ['--secret', `right-${platform}`, '--deliver-rejected']);
    if (at === 0) {
      const other = await integrate<Said>(platform, ['--secret', 'neither', '--deliver-rejected']);
      expect(other).toMatchObject({ rejectedThatVerify: 0, delivered: 0 });
      const right = await integrate<Said>(platform, ['--secret', `right-${platform}`]);
      expect(right).toMatchObject({ rejectedThatVerify: 1, delivered: 0 });
    }
    expect([platform, await deliver()]).toMatchObject([platform, { rejectedThatVerify: 1, delivered: 1 }]);
    if (at === 0) expect(await deliver()).toMatchObject({ rejectedThatVerify: 0, delivered: 0 });
  }
  const purchases = await until(async () => {
    const listed = await listPurchases(server.url, shop.apiKey);
    return listed.length === platforms.length && listed;
  });
  expect(purchases.map(({ customerEmail }) => customerEmail).sort()).toEqual(
    platforms.map((_, at) => `buyer-${at}@example.com`),
  );
  const today = new Date().toISOString().slice(0, 10);
  const notes = new Set(
    (await log()).map(({ note }) => note?.replace(/^(Rejected on \S+,.*?set\.).*/, '$1')),
  );
  expect([...notes]).toEqual([`Rejected on ${today}, delivered after the secret was set.`]);
  await mailServer.waitForMails(platforms.length);
}, 120_000);

it('an added secret lets in what it signed, and says so to people', async () => {
  const { environment, shop, post, integrate } = await openRunningShop();
  const sign = SIGNERS['storefront-b'];
  if (!sign) throw new Error('There is no signer.');
  await integrate('storefront-b', ['--secret', 'first']);
  await post('storefront-b', sign('second', SALE));
  const words = ['--org', shop.orgId, '--platform', 'storefront-b', '--secret', 'second'];
  const plain = await runCli(environment, ['integration', 'add-secret', ...words]);
  expect([plain.code, plain.stderr]).toEqual([0, '']);
  expect(plain.stdout).toContain('is added to those it has');
  expect(plain.stdout).toContain('1 delivery that had been rejected');
  expect(plain.stdout).toContain('--deliver-rejected');
  const again = ['integration', 'add-secret', ...words, '--deliver-rejected'];
  expect(await runCliForJson(environment, again)).toMatchObject({
    added: false,
    connection: 'main',
    rejectedThatVerify: 1,
    delivered: 1,
  });
  for (const secret of ['first', 'second']) {
    expect((await post('storefront-b', sign(secret, SALE))).status).toBe(200);
  }
}, 60_000);
