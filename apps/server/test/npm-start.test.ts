import { findEmbeddedPostgres } from '@handover/embedded-postgres';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { shareInFile } from '../../../test/undo.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCli, runCliForJson, runCliHere, spawnServer, startServer } from './support/server-process.ts';
import { listPurchases, until } from './support/shop.ts';

/** A first start. */
const started = shareInFile(async () => {
  const dataDir = await makeTemporaryDirectory();
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/Ctrl-C stops/);
  return { dataDir, server };
});

it('the first start prints a tour, and each of its steps works', async () => {
  const { dataDir, server } = started();
  const tour = server.printed();
  const [, words = ''] = /npm run --silent handover -- (simulate .*)/.exec(tour) ?? [];
  const { code, stdout } = await runCli({ DATA_DIR: dataDir }, words.trim().split(' '));
  expect([code, stdout]).toEqual([0, expect.stringContaining('The server answered 200')]);

  const [, key = ''] = /Bearer (hnd_\w+)/.exec(tour) ?? [];
  const [purchase] = await listPurchases(server.url, key);
  expect(purchase).toMatchObject({ customerEmail: 'ana@example.com', productSlug: 'felt-piano' });
  const outbox = await until(async () => {
    const page = await (await fetch(`${server.url}/dev/mail`)).text();
    return page.includes('Felt Piano') && page;
  });
  expect(tour).toContain(`${server.url}/dev/mail`);

  const [signInUrl = ''] = /http\S+\/dashboard\/sign-in\/\S+/.exec(tour) ?? [];
  const signedIn = await fetch(signInUrl, { method: 'POST', redirect: 'manual' });
  expect(signedIn.status).toBe(303);
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
  const products = await fetch(`${server.url}/dashboard/products`, { headers: { cookie } });
  expect(await products.text()).toContain('Felt Piano');
  const [, asking = ''] = /npm run --silent handover -- (sign-in-link .*)/.exec(tour) ?? [];
  const asked = await runCliHere({ DATA_DIR: dataDir }, asking.trim().split(' '));
  // The command does not know which port the server took.
  expect([asked.code, asked.stdout]).toEqual([
    0,
    expect.stringContaining(`${server.url}/dashboard/sign-in/`),
  ]);
  const [, opening = ''] = /npm run --silent handover -- (org create .*)/.exec(tour) ?? [];
  const opened = await runCliHere({ DATA_DIR: dataDir }, opening.replace(/'.*?'/, 'Halo').split(' '));
  expect([opened.code, opened.stdout]).toEqual([0, expect.stringContaining('Next: add a product:')]);
  expect(outbox).toContain('ana@example.com');
  const page = await fetch(purchase?.downloadUrl ?? '');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('felt-piano-a3.wav')]);
  const wav = await fetch(`${purchase?.downloadUrl}/files/1.0/felt-piano-a3.wav`);
  expect(
    Buffer.from(await wav.arrayBuffer())
      .subarray(0, 4)
      .toString(),
  ).toBe('RIFF');
});

it('a second server in the same directory reports the first one and does not disturb it', async () => {
  const { dataDir, server } = started();
  const second = spawnServer({ DATA_DIR: dataDir });
  const line = await second.waitForLine(/already works in/);
  expect(line).toContain(`process ${server.pid}`);
  expect(line).toContain(server.url);
  expect(await second.ended()).toBe(1);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

it('Ctrl-C, or closing the terminal, stops server and database; the next start keeps the data, even after a kill', async () => {
  const dataDir = await makePreparedDataDir();
  const first = await startServer({ DATA_DIR: dataDir });
  await first.waitForLine(/Ctrl-C stops/);
  const [, key = ''] = /Bearer (hnd_\w+)/.exec(first.printed()) ?? [];
  const [, words = ''] = /npm run --silent handover -- (simulate .*)/.exec(first.printed()) ?? [];
  await runCliHere({ DATA_DIR: dataDir }, words.trim().split(' '));
  expect(await first.end('SIGINT')).toBe(0);
  expect(await findEmbeddedPostgres(`${dataDir}/postgres`)).toBeNull();

  const second = await startServer({ DATA_DIR: dataDir });
  await second.waitForLine(/Ctrl-C stops/);
  expect(second.printed()).toContain(key);
  expect(await listPurchases(second.url, key)).toHaveLength(1);
  await second.end('SIGKILL');
  expect(await findEmbeddedPostgres(`${dataDir}/postgres`)).not.toBeNull();

  const third = await startServer({ DATA_DIR: dataDir });
  await third.waitForLine(/Ctrl-C stops/);
  expect(third.printed()).toContain(key);
  expect(await listPurchases(third.url, key)).toHaveLength(1);
  expect(await third.end('SIGHUP')).toBe(0);
  expect(await findEmbeddedPostgres(`${dataDir}/postgres`)).toBeNull();
});

it('the command line works with no server running, and leaves none', async () => {
  const dataDir = await makeTemporaryDirectory();
  const create = (email: string) =>
    runCliForJson<{ orgId: string }>({ DATA_DIR: dataDir }, [
      'org',
      'create',
      '--name',
      'A',
      '--owner-email',
      email,
    ]);
  // Two concurrent commands wait for each other.
  const [a, b] = await Promise.all([create('a@example.com'), create('b@example.com')]);
  expect(a.orgId).not.toBe(b.orgId);
  expect(await findEmbeddedPostgres(`${dataDir}/postgres`)).toBeNull();
  const words = ['simulate', 'storefront-a', '--org', a.orgId, '--sku', 'x'];
  await runCliForJson({ DATA_DIR: dataDir }, [
    ...['integration', 'set', '--org', a.orgId, '--platform', 'storefront-a', '--secret', 'a-secret'],
  ]);
  const { code, stderr } = await runCliHere({ DATA_DIR: dataDir }, words);
  expect([code, stderr]).toEqual([1, expect.stringContaining('npm start')]);
});

it('one message names all invalid settings, and nothing is started', async () => {
  const dataDir = await makeTemporaryDirectory();
  const server = spawnServer({ DATA_DIR: dataDir, PORT: 'x', SITE_URL: 'https://get.example.com' });
  await server.waitForLine(/3 settings need you/);
  expect(await server.ended()).toBe(1);
  for (const name of ['PORT', 'SMTP_URL', 'MAIL_FROM']) expect(server.printed()).toContain(`  ${name} `);
});
