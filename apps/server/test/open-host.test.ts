import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCliForJson, spawnServer, startServer } from './support/server-process.ts';

/** An address of this machine on its network; null without a network. */
const ownAddress =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? null;

function ask(address: string, port: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: address, port, path, headers }, async (answer) => {
      await text(answer);
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

it('HOST beyond loopback without SITE_URL refuses to start, and says why', async () => {
  for (const HOST of ['0.0.0.0', '::', ...(ownAddress ? [ownAddress] : [])]) {
    const server = spawnServer({ DATA_DIR: await makeTemporaryDirectory(), HOST });
    await server.waitForLine(/SITE_URL is required, because HOST .* lets other machines in/);
    expect(await server.ended()).toBe(1);
  }
});

it('HOST beyond loopback with a SITE_URL on loopback has no demo, prints no key, and shows no mail', async () => {
  const dataDir = await makePreparedDataDir();
  const settings = { DATA_DIR: dataDir, HOST: '0.0.0.0', SITE_URL: 'http://localhost:0' };
  const server = await startServer(settings);
  const shop = ['org', 'create', '--name', 'A', '--owner-email', 'a@example.com'];
  await runCliForJson(settings, shop);
  const { port } = new URL(server.url);
  for (const address of ['127.0.0.1', ...(ownAddress ? [ownAddress] : [])]) {
    for (const host of [`localhost:${port}`, `${address}:${port}`, 'evil.example']) {
      for (const path of ['/dev/mail', '/dev/mail/a.eml'])
        expect(await ask(address, port, path, { host }), `${address} ${host} ${path}`).toBe(404);
      for (const path of ['/', '/my']) expect(await ask(address, port, path, { host })).toBe(200);
    }
  }
  expect(server.printed()).not.toMatch(/hnd_|sign-in\/|\/dev\/mail\n/);
  expect(server.printed()).toContain('shown nowhere');
});

it('a trial shows its mail only for a loopback Host, and not through a proxy', async () => {
  const server = await startServer({ DATA_DIR: await makePreparedDataDir(), TRUST_PROXY: '127.0.0.1' });
  const { port } = new URL(server.url);
  const askFor = (headers: Record<string, string>) => ask('127.0.0.1', port, '/dev/mail', headers);
  expect(await askFor({ host: `localhost:${port}` })).toBe(200);
  expect(await askFor({ host: 'evil.example' })).toBe(404);
  expect(await askFor({ host: `localhost:${port}`, 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  if (ownAddress) await expect(ask(ownAddress, port, '/dev/mail', {})).rejects.toThrow('ECONNREFUSED');
});
