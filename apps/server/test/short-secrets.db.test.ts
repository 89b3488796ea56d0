import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { runCli, runCliForJson, startServer } from './support/server-process.ts';
import { makeInstallation } from './support/shop.ts';

it('a secret that was set when it could be short is reported at the start and by the command line', async () => {
  const environment = await makeInstallation(await startMailServer());
  const create = ['org', 'create', '--name', 'Lumen Audio', '--owner-email', 'owner@lumen.test'];
  const { orgId } = await runCliForJson<{ orgId: string }>(environment, create);
  const set = (platform: string, ...more: readonly string[]) => [
    ...['integration', 'set', '--org', orgId, '--platform', platform, ...more],
  ];
  await runCliForJson(environment, set('cart-a', '--secret', 'a-secret-of-the-cart'));
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query('update connection_secrets set is_short = true');

  const server = await startServer(environment);
  const connections = `[{"orgId":"${orgId}","platform":"cart-a","connection":"main"}]`;
  expect(server.printed()).toContain(`"connections":${connections}`);
  expect(server.printed()).not.toContain('a-secret-of-the-cart');

  const told = await runCli(environment, set('storefront-a', '--secret', 'a-secret-of-shopify'));
  expect(told.stdout).toContain('The secret of cart-a, connection “main”, is shorter than 16 characters.');
  const rules = await runCliForJson(environment, set('cart-a', '--ignore-test-orders'));
  expect(rules).toMatchObject({ shortSecrets: [{ platform: 'cart-a', connection: 'main' }] });
  const mended = await runCliForJson(environment, set('cart-a', '--generate-secret'));
  expect(mended).toMatchObject({ shortSecrets: [] });
});
