import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson, type ServerProcess, spawnServer, startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

const OLD = 'the-old-secret-of-at-least-32-characters';
const NEW = 'the-new-secret-of-at-least-32-characters';

interface Status {
  readonly secrets: readonly {
    readonly place: number | null;
    readonly apiKeys: number;
    readonly connectionSecrets: number;
  }[];
}

it('a rotation of the secret breaks no link, key or webhook, while two processes restart one after the other', async () => {
  const mailServer = await startMailServer();
  const base = await makeInstallation(mailServer);
  const start = (secret: string) => startServer({ ...base, HANDOVER_SECRET: secret });
  let [a, b] = await Promise.all([start(OLD), start(OLD)]);
  const shop = await openShop({ ...base, HANDOVER_SECRET: OLD }, a.url);
  await sendOrder(a.url, shop.orgId, '1');
  const links: string[] = [];
  let order = 1;

  // What a buyer, an integration and a shop do, on both processes, after each step.
  const nothingFails = async () => {
    for (const server of [a, b]) {
      order += 1;
      expect((await sendOrder(server.url, shop.orgId, String(order))).status).toBe(200);
      const [newest] = await listPurchases(server.url, shop.apiKey);
      links.push(new URL(newest?.downloadUrl ?? '').pathname);
      for (const link of links) expect([link, (await fetch(server.url + link)).status]).toEqual([link, 200]);
    }
  };

  // The next process starts while the previous one finishes its accepted requests.
  const replace = async (server: ServerProcess, secret: string) => {
    const [next] = await Promise.all([start(secret), server.end()]);
    return next;
  };

  await nothingFails();
  for (const secret of [`${OLD},${NEW}`, `${NEW},${OLD}`]) {
    a = await replace(a, secret);
    await nothingFails();
    b = await replace(b, secret);
    await nothingFails();
  }

  const status = () =>
    runCliForJson<Status>({ ...base, HANDOVER_SECRET: `${NEW},${OLD}` }, ['secret', 'status']);
  const moved = await until(async () => {
    const { secrets } = await status();
    const former = secrets.find(({ place }) => place === 2);
    return former && former.apiKeys + former.connectionSecrets === 0 && secrets;
  });
  expect(moved).toMatchObject([{ place: 1, apiKeys: 1, connectionSecrets: 1 }, { place: 2 }]);

  // The other process continues beside one that no longer has the former secret.
  links.splice(0);
  a = await replace(a, NEW);
  await nothingFails();
});

it('a secret that was removed too soon is reported by name', async () => {
  const base = await makeInstallation(await startMailServer());
  const before = { ...base, HANDOVER_SECRET: OLD };
  const create = ['org', 'create', '--name', 'Lumen Audio', '--owner-email', 'owner@lumen.test'];
  const { orgId } = await runCliForJson<{ orgId: string }>(before, create);
  const set = ['integration', 'set', '--org', orgId, '--platform', 'storefront-a', '--secret', 'a-secret'];
  await runCliForJson(before, set);
  const { secrets } = await runCliForJson<Status>({ ...base, HANDOVER_SECRET: NEW }, ['secret', 'status']);
  expect(secrets).toMatchObject([
    { place: 1, apiKeys: 0, connectionSecrets: 0 },
    { place: null, apiKeys: 1, connectionSecrets: 1 },
  ]);
  const refused = spawnServer({ ...base, HANDOVER_SECRET: NEW });
  await refused.waitForLine(
    /One webhook secret was encrypted with a secret that HANDOVER_SECRET does not list/,
  );
  expect(await refused.ended()).toBe(1);
  // It is lost: what the page about backups says leads out.
  await runCliForJson({ ...base, HANDOVER_SECRET: NEW }, [...set.slice(0, -1), 'another-secret']);
  const database = await openDatabase(base.DATABASE_URL);
  await database.query(`insert into shared_secrets (id, sealed, created_at) values ($1, 'lost', now())`, [
    orgId,
  ]);
  await startServer({ ...base, HANDOVER_SECRET: NEW, PAYMENTS_A_SIGNING_SECRET: 'whsec_of-stripe' });
});
